"""Sentences about the conversation and the desk itself: English, simplified Chinese, traditional Chinese."""

from __future__ import annotations

TALK_PHRASES: dict[str, tuple[str, str, str]] = {
    # Greetings and small talk
    "hello": (
        "Hello! Which order can I help you with?",
        "您好！请问要查哪个订单？",
        "您好！請問要查哪一張訂單？",
    ),
    "hello name": ("Hello {name}.", "{name}，您好。", "{name}，您好。"),
    "name noted": (
        "Hello {name}, I have noted your name.",
        "{name}，您好，名字记下了。",
        "{name}，您好，名字記下了。",
    ),
    "order noted": (
        "Noted: your order is {orders}.",
        "记下了：您的订单是 {orders}。",
        "記下了：您的訂單是 {orders}。",
    ),
    "thanks": ("You are welcome.", "不客气。", "不客氣。"),
    "bye": ("Goodbye, and thank you.", "再见，谢谢您。", "再見，謝謝您。"),
    "fine": (
        "All right. Is there anything else about an order?",
        "好的。还有别的订单问题吗？",
        "好的。還有其他訂單問題嗎？",
    ),
    "stays": ("All right, it stays as it is. {what}", "好的，保持现状。{what}", "好的，保持現狀。{what}"),
    "nothing done": ("All right, I leave that.", "好的，那就不处理了。", "好的，那就不處理了。"),
    "civil": (
        "I am sorry this is frustrating. If you would rather have a person look at it, say so and I "
        "will write the "
        "ticket up for them.",
        "很抱歉让您不满意。如果希望由真人同事来处理，请告诉我，我会把情况整理给他们。",
        "很抱歉讓您不滿意。如果希望由真人同事來處理，請告訴我，我會把情況整理給他們。",
    ),
    "person": (
        "A person should look at this: the ticket is written up for them.",
        "这件事会交给真人同事：工单已经整理好。",
        "這件事會交給真人同事：工單已經整理好。",
    ),
    "person, no ticket": (
        "I can write the ticket up for a person. Which order is it about, and what should they look at?",
        "我可以把情况整理给真人同事。请问是哪个订单，需要他们看什么？",
        "我可以把情況整理給真人同事。請問是哪一張訂單，需要他們看什麼？",
    ),
    "who": (
        "I am the desk's offline stand-in: a small program that follows rules on this machine, not a "
        "language model "
        "and not a person. What I remember is only what this conversation holds.",
        "我是这个服务台的离线替身：一个按规则运行的本地小程序，不是语言模型，也不是真人。我记得的只有这段对话里的内容。",
        "我是這個服務台的離線替身：一個按規則運行的本地小程式，不是語言模型，也不是真人。我記得的只有這段對話裡的內容。",
    ),
    "can do": (
        "Here I can look up and track orders, change where they are delivered, ask for refunds and "
        "cancellations, and "
        "write a summary.",
        "在这里我可以查询和追踪订单、更改配送、申请退款或取消，以及总结情况。",
        "在這裡我可以查詢和追蹤訂單、更改配送、申請退款或取消，以及總結情況。",
    ),
    "policy limit": (
        "Refunds up to {limit} go through at once; above that a person decides. Cancelling may need one too.",
        "{limit} 以内的退款直接办理，超过的由人工决定；取消有时也需要人工批准。",
        "{limit} 以內的退款直接辦理，超過的由專人決定；取消有時也需要專人核准。",
    ),
    "policy": (
        "Refunds and cancellations are asked for here; where the shop's rules say so, a person decides.",
        "这里可以申请退款和取消；按店里的规定，有些需要人工决定。",
        "這裡可以申請退款和取消；按店裡的規定，有些需要專人決定。",
    ),
    "points": (
        "Orders can be picked up at {points}.",
        "可以自提的地点有：{points}。",
        "可以自取的地點有：{points}。",
    ),
    "no points": (
        "I do not know the pickup points; an order can be set to the usual one.",
        "我不知道有哪些自提点，可以改到默认的自提点。",
        "我不知道有哪些自取點，可以改到預設的自取點。",
    ),
    "not here": (
        "I cannot help with that.",
        "这个我帮不上忙。",
        "這個我幫不上忙。",
    ),
    "no words": (
        "I found no words in your message.",
        "您的消息里没有文字。",
        "您的訊息裡沒有文字。",
    ),
    "no wish": (
        "I am not sure what you would like.",
        "没太明白您的意思。",
        "不太明白您的意思。",
    ),
    "pasted": (
        "That looks pasted from somewhere, so I did nothing with it. What would you like, and for which "
        "order?",
        "这看起来是粘贴来的内容，我没有按它办理。请问您要做什么，是哪个订单？",
        "這看起來是貼上來的內容，我沒有按它辦理。請問您要做什麼，是哪一張訂單？",
    ),
    "only ends read": (
        "Your message is long: I read its beginning and its end.",
        "您的消息很长，我只读了开头和结尾。",
        "您的訊息很長，我只讀了開頭和結尾。",
    ),
    "too long": (
        "I could not find a wish about an order in that long message. Can you say it in a sentence?",
        "这段话很长，我没有找到关于订单的要求，能用一句话说吗？",
        "這段話很長，我沒有找到關於訂單的要求，能用一句話說嗎？",
    ),
    "no tool": (
        "I cannot do that here: nobody at this desk has the tool for it.",
        "这里没有能办这件事的工具。",
        "這裡沒有能辦這件事的工具。",
    ),
    # What was said
    "your name": ("You told me your name is {name}.", "您说过您叫{name}。", "您說過您叫{name}。"),
    "your reason": (
        "The reason you gave for {order}: {reason}.",
        "您为{order}给的理由是：{reason}。",
        "您為{order}給的理由是：{reason}。",
    ),
    "no reason of yours": (
        "You gave no reason for {order}.",
        "{order}您没有说明理由。",
        "{order}您沒有說明理由。",
    ),
    "no reason at all": (
        "In what I can see of our conversation you asked for no refund or cancellation, and gave no reason.",
        "在我能看到的对话里，您没有申请过退款或取消，也没有给过理由。",
        "在我能看到的對話裡，您沒有申請過退款或取消，也沒有給過理由。",
    ),
    "no name": (
        "I do not know: in what I can see of our conversation you have not told me your name. What is it?",
        "我不知道：在我能看到的对话里，您还没有说过名字。请问您怎么称呼？",
        "我不知道：在我能看到的對話裡，您還沒有說過名字。請問您怎麼稱呼？",
    ),
    "first asked": (
        "The first thing I can see from you is: {words}",
        "我能看到的您的第一句话是：{words}。",
        "我能看到的您的第一句話是：{words}。",
    ),
    "first follows": (
        "It seems to go on from something I can no longer see. What was it?",
        "它像是接着更早的话说的，更早的我已经看不到了。请问那是什么？",
        "它像是接著更早的話說的，更早的我已經看不到了。請問那是什麼？",
    ),
    # Whether more was said before cannot be known from what is left of a conversation.
    "that one": ("Is that the one you mean?", "您指的是这句吗？", "您指的是這句嗎？"),
    "last asked": (
        "Just before this you wrote: {words}",
        "您上一句写的是：{words}。",
        "您上一句寫的是：{words}。",
    ),
    "all asked": (
        "I can see {count} of your messages before this one: {words}",
        "在这条之前我能看到您的 {count} 条消息：{words}。",
        "在這則之前我能看到您的 {count} 則訊息：{words}。",
    ),
    "last answered": (
        "Just before this I said: {words}",
        "我上一句说的是：{words}。",
        "我上一句說的是：{words}。",
    ),
    "nothing under way": (
        "In what I can see of our conversation nothing is under way. What would you like?",
        "在我能看到的对话里没有正在办的事。请问您想做什么？",
        "在我能看到的對話裡沒有正在辦的事。請問您想做什麼？",
    ),
    "nothing before": (
        "I see nothing before this message. What would you like to know?",
        "在这条消息之前我看不到任何内容。请问您想问什么？",
        "在這則訊息之前我看不到任何內容。請問您想問什麼？",
    ),
    "asked for": ("You wrote: {words}. {what}", "您说过：{words}。{what}", "您說過：{words}。{what}"),
    "came to nothing": ("Nothing was done about it.", "这件事没有办理。", "這件事沒有辦理。"),
    "still to decide": (
        "A person has not decided about {order} yet.",
        "{order}还在等人工决定。",
        "{order}還在等專人決定。",
    ),
    "never asked": (
        "In what I can see of our conversation you did not ask for that. Which order do you mean, and what "
        "would you like?",
        "在我能看到的对话里，您没有提过这样的要求。请问是哪个订单，需要我做什么？",
        "在我能看到的對話裡，您沒有提過這樣的要求。請問是哪一張訂單，需要我做什麼？",
    ),
    "never asked cancel": (
        "In what I can see of our conversation you did not ask me to cancel anything. "
        "Which order do you mean?",
        "在我能看到的对话里，您没有请我取消过订单。请问是哪个订单？",
        "在我能看到的對話裡，您沒有請我取消過訂單。請問是哪一張訂單？",
    ),
    "never asked refund": (
        "In what I can see of our conversation you did not ask me for a refund. Which order do you mean?",
        "在我能看到的对话里，您没有请我退过款。请问是哪个订单？",
        "在我能看到的對話裡，您沒有請我退過款。請問是哪一張訂單？",
    ),
    "never asked for": (
        "In what I can see of our conversation you did not ask me to do that for {orders}. "
        "What would you like me to do?",
        "在我能看到的对话里，您没有为 {orders} 提过这样的要求。需要我做什么？",
        "在我能看到的對話裡，您沒有為 {orders} 提過這樣的要求。需要我做什麼？",
    ),
    "your order": ("Your order is {orders}.", "您的订单是 {orders}。", "您的訂單是 {orders}。"),
    "asked about": (
        "You asked about {orders}.",
        "您问过 {orders}。",
        "您問過 {orders}。",
    ),
    "spoke of": (
        "You have not said which order is yours; we spoke of {orders}. Which one is it?",
        "您没有说过哪个是您的订单；我们谈到过 {orders}。请问是哪一个？",
        "您沒有說過哪一張是您的訂單；我們談到過 {orders}。請問是哪一張？",
    ),
    "orders seen": (
        "In what I can see of our conversation, we spoke of {orders}.",
        "在我能看到的对话里，我们谈到过{orders}。",
        "在我能看到的對話裡，我們談到過{orders}。",
    ),
    "no list": (
        "I cannot see a list of all your orders: name one, and I look it up.",
        "我看不到您的全部订单列表；告诉我订单号，我就能查。",
        "我看不到您的全部訂單清單；告訴我訂單號碼，我就能查。",
    ),
    "no order": (
        "I do not know: in what I can see of our conversation no order was named. Which one is it?",
        "我不知道：在我能看到的对话里没有提到订单。请问是哪一个？",
        "我不知道：在我能看到的對話裡沒有提到訂單。請問是哪一張？",
    ),
    "no refusal": (
        "I see nothing in our conversation that was refused or went wrong. What do you mean?",
        "在我能看到的对话里，没有被拒绝或没办成的事。请问您指的是什么？",
        "在我能看到的對話裡，沒有被拒絕或沒辦成的事。請問您指的是什麼？",
    ),
    # What was done
    "all done": ("Yes, it is done.", "是的，已经办好了。", "是的，已經辦好了。"),
    "part done": ("Not all of it is done.", "还没有全部办好。", "還沒有全部辦好。"),
    "not done": ("No, it is not done.", "没有办成。", "沒有辦成。"),
    # The ticket
    "nothing to summarise": (
        "There is nothing to summarise yet in what I can see. Which order is it about?",
        "在我能看到的对话里还没有可以总结的内容。请问是哪个订单？",
        "在我能看到的對話裡還沒有可以總結的內容。請問是哪一張訂單？",
    ),
    "ticket": ("The ticket summary: {summary}", "工单总结：{summary}", "工單總結：{summary}"),
    "recap": ("So far: {summary}", "到目前为止：{summary}", "到目前為止：{summary}"),
    "ticket not written": (
        "The summary could not be stored.",
        "总结没能保存。",
        "總結沒能儲存。",
    ),
    "customer": ("Customer: {name}.", "客户：{name}。", "客戶：{name}。"),
    "asked for person": (
        "The customer asks for a person.",
        "客户要求由真人处理。",
        "客戶要求由真人處理。",
    ),
    "only looked": ("{order} was asked about.", "询问了{order}。", "詢問了{order}。"),
    "asked because": ("The customer's reason: {reason}", "客户的理由：{reason}", "客戶的理由：{reason}"),
    "no reason given": ("no reason given", "未说明原因", "未說明原因"),
}
