"""Sentences about orders: English, simplified Chinese, traditional Chinese."""

from __future__ import annotations

ORDER_PHRASES: dict[str, tuple[str, str, str]] = {
    # Words inside sentences
    "and": (" and ", "和", "和"),
    "or": (" or ", "还是", "還是"),
    "pickup": ("pickup", "自提", "自取"),
    "at pickup": ("pickup at {point}", "自提：{point}", "自取：{point}"),
    # How an order stands
    "not_shipped": ("{order} has not been shipped yet.", "{order}还没有发货。", "{order}還沒有出貨。"),
    "ships": ("{order} ships on {day}.", "{order}将于{day}发货。", "{order}將於{day}出貨。"),
    "ships and arrives": (
        "{order} ships on {day} and should arrive on {arrival}.",
        "{order}将于{day}发货，预计{arrival}送达。",
        "{order}將於{day}出貨，預計{arrival}送達。",
    ),
    "shipped": ("{order} is on its way.", "{order}已经发货，正在路上。", "{order}已經出貨，正在路上。"),
    "shipped and arrives": (
        "{order} is on its way and should arrive on {day}.",
        "{order}已经发货，正在路上，预计{day}送达。",
        "{order}已經出貨，正在路上，預計{day}送達。",
    ),
    "shipped on": ("It left on {day}.", "发货日期是{day}。", "出貨日期是{day}。"),
    "on_the_truck": (
        "{order} is on the truck for delivery today, {day}.",
        "{order}已经装车，今天（{day}）派送。",
        "{order}已經裝車，今天（{day}）派送。",
    ),
    "delivered": ("{order} was delivered on {day}.", "{order}已于{day}送达。", "{order}已於{day}送達。"),
    "cancelled": ("{order} is cancelled.", "{order}已取消。", "{order}已取消。"),
    "refunded": ("{order} was refunded: {sum}.", "{order}已退款：{sum}。", "{order}已退款：{sum}。"),
    "other status": ("{order}: {status}.", "{order}的状态：{status}。", "{order}的狀態：{status}。"),
    "costs": ("{order} costs {sum}.", "{order}的价格是 {sum}。", "{order}的價格是 {sum}。"),
    "is item": ("{order} is this item: {item}.", "{order}买的是：{item}。", "{order}買的是：{item}。"),
    "goes to": ("{order} goes to {place}.", "{order}现在送到{place}。", "{order}現在送到{place}。"),
    "address erased": (
        "{order} goes to an address that was erased along with a conversation. Tell me one to change it.",
        "{order}送往的地址已随对话从服务台清除。要更改的话，请再告诉我地址。",
        "{order}送往的地址已隨對話從服務台清除。要更改的話，請再告訴我地址。",
    ),
    "goes to pickup": ("{order} is set for {place}.", "{order}现在是{place}。", "{order}現在是{place}。"),
    "went to": ("It went to {place}.", "送达地点是{place}。", "送達地點是{place}。"),
    "parcel": (
        "{carrier}, tracking number {number}.",
        "承运方 {carrier}，运单号 {number}。",
        "承運方 {carrier}，追蹤碼 {number}。",
    ),
    # Comparing dates
    "yes": ("Yes:", "是的，", "是的，"),
    "no": ("No:", "不是，", "不是，"),
    "ships_on": ("{order} ships on {day}", "{order}将于{day}发货", "{order}將於{day}出貨"),
    "shipped_on": ("{order} was shipped on {day}", "{order}已于{day}发货", "{order}已於{day}出貨"),
    "arrives_on": ("{order} arrives on {day}", "{order}预计{day}送达", "{order}預計{day}送達"),
    "delivered_on": ("{order} was delivered on {day}", "{order}已于{day}送达", "{order}已於{day}送達"),
    "later": ("{fact}, later than {limit}", "{fact}，晚于{limit}", "{fact}，晚於{limit}"),
    "not later": ("{fact}, not later than {limit}", "{fact}，不晚于{limit}", "{fact}，不晚於{limit}"),
    "earlier": ("{fact}, earlier than {limit}", "{fact}，早于{limit}", "{fact}，早於{limit}"),
    "not earlier": ("{fact}, not earlier than {limit}", "{fact}，不早于{limit}", "{fact}，不早於{limit}"),
    "within": ("{fact}, within {limit}", "{fact}，正好在{limit}", "{fact}，正好在{limit}"),
    "not within": ("{fact}, and not on {limit}", "{fact}，不在{limit}", "{fact}，不在{limit}"),
    "span": ("{first} to {last}", "{first}到{last}", "{first}到{last}"),
    "so": ("{why}, so {what}", "{why}，所以{what}", "{why}，所以{what}"),
    "it is": ("{order} has this status: {status}", "{order}的状态是：{status}", "{order}的狀態是：{status}"),
    "it costs": ("{order} costs {sum}", "{order}的价格是 {sum}", "{order}的價格是 {sum}"),
    "left alone": ("I left it as it is.", "我没有改动。", "我沒有更動。"),
    "cannot judge": (
        "I cannot tell whether that holds for {order}, so I changed nothing. What shall I do?",
        "我无法判断{order}是否符合这个条件，所以没有改动。要怎么处理？",
        "我無法判斷{order}是否符合這個條件，所以沒有更動。要怎麼處理？",
    ),
    "status not_shipped": ("not shipped yet", "还没发货", "還沒出貨"),
    "status shipped": ("on its way", "已发货，在路上", "已出貨，在路上"),
    "status on_the_truck": ("on the truck", "已装车派送", "已裝車派送"),
    "status delivered": ("delivered", "已送达", "已送達"),
    "status cancelled": ("cancelled", "已取消", "已取消"),
    "status refunded": ("refunded", "已退款", "已退款"),
    # Several orders together
    "in total": ("Together that is {sum}.", "一共是 {sum}。", "總共是 {sum}。"),
    "the dearer": (
        "The dearer one is {order}, by {sum}.",
        "更贵的是{order}，贵 {sum}。",
        "比較貴的是{order}，貴 {sum}。",
    ),
    "the cheaper": (
        "The cheaper one is {order}, by {sum}.",
        "更便宜的是{order}，便宜 {sum}。",
        "比較便宜的是{order}，便宜 {sum}。",
    ),
    "the dearest": (
        "The dearest is {order}: {sum}.",
        "最贵的是{order}：{sum}。",
        "最貴的是{order}：{sum}。",
    ),
    "the cheapest": (
        "The cheapest is {order}: {sum}.",
        "最便宜的是{order}：{sum}。",
        "最便宜的是{order}：{sum}。",
    ),
    "same price": ("They cost the same.", "价格一样。", "價格一樣。"),
    "the sooner": ("First comes {order}: {day}.", "最早的是{order}：{day}。", "最早的是{order}：{day}。"),
    "the later": ("Last comes {order}: {day}.", "最晚的是{order}：{day}。", "最晚的是{order}：{day}。"),
    "same day": ("It is the same day: {day}.", "是同一天：{day}。", "是同一天：{day}。"),
    "not comparable": (
        "What I know of them does not let me compare them.",
        "根据我知道的情况无法比较。",
        "根據我知道的情況無法比較。",
    ),
    # Changes made
    "moved to pickup": (
        "{order} is changed to {place}.",
        "已将{order}改为{place}。",
        "已將{order}改為{place}。",
    ),
    "moved to address": (
        "{order} will now be delivered to {place}.",
        "已将{order}的送货地址改为{place}。",
        "已將{order}的送貨地址改為{place}。",
    ),
    "moved back": (
        "The change is undone: {order} goes to {place} again.",
        "已撤销改动：{order}恢复为{place}。",
        "已撤銷更動：{order}恢復為{place}。",
    ),
    "refund done": ("{order} is refunded: {sum}.", "{order}已退款 {sum}。", "{order}已退款 {sum}。"),
    "cancel done": ("{order} is cancelled.", "{order}已取消。", "{order}已取消。"),
    # Changes not made
    "no refund made": (
        "No refund of {order} was made.",
        "{order}没有办过退款。",
        "{order}沒有辦過退款。",
    ),
    "cancelled, no refund": (
        "No refund of {order} was made. It is cancelled, and what is cancelled is not refunded here; what "
        "becomes of its money a person has to tell. Shall I write a ticket for a person?",
        "{order}没有办过退款。订单已取消，已取消的订单在这里不能再退款，款项怎么处理要由人工答复。要为您写工单转人工吗？",
        "{order}沒有辦過退款。訂單已取消，已取消的訂單在這裡不能再退款，款項怎麼處理要由專人答覆。要為您寫工單轉專人嗎？",
    ),
    "no cancellation made": (
        "{order} was not cancelled.",
        "{order}没有取消。",
        "{order}沒有取消。",
    ),
    "refund refused": (
        "The refund of {order} was not approved by the person who decides, so nothing was refunded.",
        "{order}的退款没有获得人工批准，没有退款。",
        "{order}的退款沒有獲得人工核准，沒有退款。",
    ),
    "cancel refused": (
        "The cancellation of {order} was not approved by the person who decides, so it is not cancelled.",
        "{order}的取消申请没有获得人工批准，订单没有取消。",
        "{order}的取消申請沒有獲得人工核准，訂單沒有取消。",
    ),
    "other refused": (
        "The change of {order} was not approved, so nothing was changed.",
        "{order}的改动没有获得批准，没有改动。",
        "{order}的更動沒有獲得核准，沒有更動。",
    ),
    "refund superseded": (
        "The request to refund {order} was closed before a person decided: nothing was refunded.",
        "{order}的退款申请在有人决定之前就关闭了，没有退款。",
        "{order}的退款申請在有人決定之前就關閉了，沒有退款。",
    ),
    "cancel superseded": (
        "The request to cancel {order} was closed before a person decided: nothing is cancelled.",
        "{order}的取消申请在有人决定之前就关闭了，没有取消。",
        "{order}的取消申請在有人決定之前就關閉了，沒有取消。",
    ),
    "other superseded": (
        "The change of {order} was dropped before it was made.",
        "{order}的改动在完成之前已作罢。",
        "{order}的更動在完成之前已作罷。",
    ),
    "ask again": ("Shall I ask again?", "要重新申请吗？", "要重新申請嗎？"),
    "reason": ("Reason: {note}", "原因：{note}", "原因：{note}"),
    "no reason": ("No reason was given.", "没有说明原因。", "沒有說明原因。"),
    "cut": (
        "{order}: that was cut short before it was done. Shall I try again?",
        "{order}：处理到一半中断了，没有完成。要再试一次吗？",
        "{order}：處理到一半中斷了，沒有完成。要再試一次嗎？",
    ),
    "broken": (
        "{order}: that did not work, because the tool failed. Please try again in a moment.",
        "{order}：工具出错，没有办成，请稍后再试。",
        "{order}：工具出錯，沒有辦成，請稍後再試。",
    ),
    "unknown_order": (
        "I cannot find an order {order}. Is the number right?",
        "查不到订单 {order}，请问订单号对吗？",
        "查不到訂單 {order}，請問訂單號碼對嗎？",
    ),
    "already_refunded": (
        "{order} was already refunded{more}, so nothing more is done.",
        "{order}已经退过款了{more}，不再处理。",
        "{order}已經退過款了{more}，不再處理。",
    ),
    "already_cancelled": (
        "{order} is already cancelled, so nothing more is done.",
        "{order}已经取消了，不再处理。",
        "{order}已經取消了，不再處理。",
    ),
    "already_delivered": (
        "{order} was already delivered, so its delivery cannot be changed.",
        "{order}已经送达，不能再改配送。",
        "{order}已經送達，不能再改配送。",
    ),
    "delivered, cannot cancel": (
        "{order} was already delivered, so it cannot be cancelled. Shall I refund it instead?",
        "{order}已经送达，不能取消。要改为退款吗？",
        "{order}已經送達，不能取消。要改為退款嗎？",
    ),
    "already_shipped": (
        "{order} is already on the truck, so its delivery cannot be changed any more.",
        "{order}已经装车派送，不能再改配送。",
        "{order}已經裝車派送，不能再改配送。",
    ),
    "not_delivered": (
        "{order} has not arrived yet, so it is not refunded; it can be cancelled.",
        "{order}还没有送达，不能退款，但可以取消。",
        "{order}還沒有送達，不能退款，但可以取消。",
    ),
    "amount_too_high": (
        "That is more than {order} cost, so nothing was refunded. How much shall it be?",
        "金额超过了{order}的价格，没有退款。要退多少？",
        "金額超過了{order}的價格，沒有退款。要退多少？",
    ),
    "bad_amount": (
        "I could not read the amount for {order}. How much shall be refunded?",
        "没看懂{order}要退的金额，请问退多少？",
        "沒看懂{order}要退的金額，請問退多少？",
    ),
    "which amount": (
        "{order} cost {sum}. I refund a sum in that currency and guess none: how much shall it be?",
        "{order}的价格是 {sum}。退款要按这个币种的确切金额办理，请问退多少？",
        "{order}的價格是 {sum}。退款要按這個幣別的確切金額辦理，請問退多少？",
    ),
    "bad_address": (
        "That does not look like an address for {order}. Which address shall it go to?",
        "这看起来不像地址，{order}要送到哪个地址？",
        "這看起來不像地址，{order}要送到哪個地址？",
    ),
    "unknown_pickup_point": (
        "There is no such pickup point for {order}. There are: {points}. Which one?",
        "没有这个自提点，{order}可以选：{points}。要哪一个？",
        "沒有這個自取點，{order}可以選：{points}。要哪一個？",
    ),
    "nothing_to_undo": (
        "The delivery of {order} was not changed, so there is nothing to undo.",
        "{order}的配送没有改动过，没有可以撤销的。",
        "{order}的配送沒有更動過，沒有可以撤銷的。",
    ),
    "already_undone": (
        "The change of delivery of {order} was undone already: it goes where it went at first.",
        "{order}的配送改动已经撤销了，现在和最初一样。",
        "{order}的配送更動已經撤銷了，現在和最初一樣。",
    ),
    "earlier_address_erased": (
        "The delivery of {order} was changed, but the address it went to before was erased along with a "
        "conversation, so I cannot put it back and left it as it is. Where shall it go instead: to a pickup "
        "point, or to which address?",
        "{order}的配送改动过，但之前的地址已随对话清除，所以无法改回，我没有改动。要改成自提，还是送到哪个地址？",
        "{order}的配送更動過，但之前的地址已隨對話清除，所以無法改回，我沒有更動。要改成自取，還是送到哪個地址？",
    ),
    "no_change": (
        "{order} is already delivered that way, so nothing changed.",
        "{order}本来就是这样配送的，没有变化。",
        "{order}本來就是這樣配送的，沒有變化。",
    ),
    "orders_unavailable": (
        "The orders cannot be read or changed now, so nothing was done for {order}. Please try again later.",
        "现在无法读取或更改订单，{order}没有处理，请稍后再试。",
        "現在無法讀取或更改訂單，{order}沒有處理，請稍後再試。",
    ),
    "other error": (
        "That could not be done for {order} ({error}).",
        "{order}没有办成（{error}）。",
        "{order}沒有辦成（{error}）。",
    ),
    "not undone refund": (
        "A refund cannot be taken back here: {order} stays refunded. A person would have to look at it.",
        "退款在这里不能撤回：{order}仍为已退款，需要人工处理。",
        "退款在這裡不能撤回：{order}仍為已退款，需要專人處理。",
    ),
    "not undone cancel": (
        "A cancellation cannot be taken back here: {order} stays cancelled. A person would have to "
        "look at it.",
        "取消在这里不能撤回：{order}仍为已取消，需要人工处理。",
        "取消在這裡不能撤回：{order}仍為已取消，需要專人處理。",
    ),
    "none to undo refund": (
        "I see no refund in our conversation, so I undid nothing. What was refunded stays refunded here.",
        "在我能看到的对话里没有退款，所以没有撤销什么。退过的款在这里不能撤回。",
        "在我能看到的對話裡沒有退款，所以沒有撤銷什麼。退過的款在這裡不能撤回。",
    ),
    "none to undo cancel": (
        "I see no cancellation in our conversation, so I undid nothing. What was cancelled "
        "stays cancelled here.",
        "在我能看到的对话里没有取消过订单，所以没有撤销什么。取消了的订单在这里不能恢复。",
        "在我能看到的對話裡沒有取消過訂單，所以沒有撤銷什麼。取消了的訂單在這裡不能恢復。",
    ),
    "none to undo pickup": (
        "I see no change to pickup in our conversation that stands, so I undid nothing.",
        "在我能看到的对话里没有仍然有效的自提改动，所以没有撤销什么。",
        "在我能看到的對話裡沒有仍然有效的自取更動，所以沒有撤銷什麼。",
    ),
    "none to undo address": (
        "I see no change of address in our conversation that stands, so I undid nothing.",
        "在我能看到的对话里没有仍然有效的地址改动，所以没有撤销什么。",
        "在我能看到的對話裡沒有仍然有效的地址更動，所以沒有撤銷什麼。",
    ),
    "none to undo delivery": (
        "I see no change of delivery in our conversation that stands, so I undid nothing.",
        "在我能看到的对话里没有仍然有效的配送改动，所以没有撤销什么。",
        "在我能看到的對話裡沒有仍然有效的配送更動，所以沒有撤銷什麼。",
    ),
    "last change": (
        "The last thing that was done is this: {what}",
        "最后办的是：{what}",
        "最後辦的是：{what}",
    ),
    "no change pickup": (
        "{order} was not changed to pickup, so I undid nothing.",
        "{order}没有改成自提，所以没有撤销什么。",
        "{order}沒有改成自取，所以沒有撤銷什麼。",
    ),
    "no change address": (
        "I see no change of the address of {order}, so I undid nothing.",
        "{order}没有改过送货地址，所以没有撤销什么。",
        "{order}沒有改過送貨地址，所以沒有撤銷什麼。",
    ),
    "later change first": (
        "The delivery of {order} was changed once more after that, and the later change has to be "
        "undone first: I undid nothing.",
        "{order}的配送之后又改过一次，要先撤销后来的改动，所以没有撤销什么。",
        "{order}的配送之後又改過一次，要先撤銷後來的更動，所以沒有撤銷什麼。",
    ),
    "reject in card": (
        "The request can be rejected in its card.",
        "可以在它的卡片里拒绝这个申请。",
        "可以在它的卡片裡拒絕這個申請。",
    ),
    "no reschedule": (
        "I cannot change dates here, only where an order goes.",
        "这里不能改日期，只能改送到哪里。",
        "這裡不能改日期，只能改送到哪裡。",
    ),
    # Asking
    "which order": ("Which order is it about?", "请问是哪个订单？", "請問是哪一張訂單？"),
    "which of": (
        "Which order do you mean: {orders}?",
        "请问是哪个订单：{orders}？",
        "請問是哪一張訂單：{orders}？",
    ),
    "only know": (
        "I only see {orders} in our conversation. Which order do you mean?",
        "我在对话里只看到{orders}。请问是哪个订单？",
        "我在對話裡只看到{orders}。請問是哪一張訂單？",
    ),
    "where to": (
        "Where shall {orders} go: to a pickup point, or to which address?",
        "{orders}要改成自提，还是送到哪个地址？",
        "{orders}要改成自取，還是送到哪個地址？",
    ),
    "which condition": (
        "I did not understand on which condition, so I changed nothing for {orders}. Can you name a "
        "day, or shall I do it anyway?",
        "没看懂是什么条件，所以还没有改动{orders}。可以说一个日期吗，还是直接处理？",
        "沒看懂是什麼條件，所以還沒有更動{orders}。可以說一個日期嗎，還是直接處理？",
    ),
    "only some": (
        "That is many orders at once: I took {orders}. Ask again for the others.",
        "一次问的订单太多，这次只处理了{orders}，其余的请再问一次。",
        "一次問的訂單太多，這次只處理了{orders}，其餘的請再問一次。",
    ),
    "which goes to": (
        "Is an order to be delivered to {place}? Which one?",
        "是要把订单送到{place}吗？请问是哪个订单？",
        "是要把訂單送到{place}嗎？請問是哪一張訂單？",
    ),
    "which again": (
        "I see nothing in our conversation that was tried before. What shall I do, and for which order?",
        "在我能看到的对话里没有办过的事。请问要为哪个订单做什么？",
        "在我能看到的對話裡沒有辦過的事。請問要為哪一張訂單做什麼？",
    ),
    "which undo": (
        "I see no change in our conversation to take back. Which order is it about?",
        "在我能看到的对话里没有可以撤销的改动。请问是哪个订单？",
        "在我能看到的對話裡沒有可以撤銷的更動。請問是哪一張訂單？",
    ),
    "offer address": (
        "Shall {order} be delivered to {place}?",
        "要把{order}送到{place}吗？",
        "要把{order}送到{place}嗎？",
    ),
    "what with it": ("What can I do for it?", "需要我做什么？", "需要我做什麼？"),
    "offer refund": (
        "I am sorry about that. Shall I ask for a refund of {orders}?",
        "很抱歉。要为{orders}申请退款吗？",
        "很抱歉。要為{orders}申請退款嗎？",
    ),
    "offer cancel": (
        "I am sorry about that. {orders} has not arrived yet: shall I ask for it to be cancelled?",
        "很抱歉。{orders}还没有送达，要申请取消吗？",
        "很抱歉。{orders}還沒有送達，要申請取消嗎？",
    ),
    "offer to refund": (
        "Shall I ask for a refund of {sum}?",
        "要申请退款 {sum} 吗？",
        "要申請退款 {sum} 嗎？",
    ),
    "refund at once": (
        "A refund of up to {limit} goes through at once.",
        "{limit} 以内的退款会直接办理。",
        "{limit} 以內的退款會直接辦理。",
    ),
    "refund asks": (
        "A refund above {limit} is for a person to decide, so the request would wait for one.",
        "超过 {limit} 的退款由人工决定，所以申请后要等人工批准。",
        "超過 {limit} 的退款由專人決定，所以申請後要等專人核准。",
    ),
    "cancel at once": (
        "It can be cancelled, and that would be done at once.",
        "可以取消，会马上办理。",
        "可以取消，會馬上辦理。",
    ),
    "cancel asks": (
        "In that state a person decides about cancelling, so the request would wait for one.",
        "这种情况要由人工决定是否取消，所以申请后要等人工批准。",
        "這種情況要由專人決定是否取消，所以申請後要等專人核准。",
    ),
    "offer to cancel": (
        "Shall I cancel it?",
        "要取消吗？",
        "要取消嗎？",
    ),
}
