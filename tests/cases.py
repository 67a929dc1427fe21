"""What a memory for agents must survive, case by case, and the tests that show it.

Each case is something that goes wrong in practice. A row names the tests that try it, what is not there yet
and keeps a case (or a part of it) from being tried, and what stands in its place where the desk does
something else. `test_cases.py` sees to it that every case has a row and every test it names exists.
"""

# ruff: noqa: E501  (a test's name is one line)

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One case: its number, what must hold, and how that is shown or why it is not."""

    number: int
    holds: str
    tests: tuple[str, ...] = ()  # "tests/memory/test_plans.py::test_name", whatever its parameters
    missing: str = ""
    instead: str = ""


EDITS_OF_SENT = "a view of what is sent, in which items can be left out by hand"
REPAIR_SCREEN = "the page's buttons for remove, replace and repair; the edits themselves are there"
CONVERSATIONS = "the OpenAI Conversations backend"
SEARCH = "search over entries and sessions"
TRANSFER = "import and export"
USAGE = "usage numbers"

# A table: one test a line, and no line for a bracket.
# fmt: off
CASES = (
    # The history of a run: pairs, reasoning, handoffs
    Case(1, "No limit sends half a pair; the page tells what is sent, and what is stored does not change.", (
        "tests/memory/test_sent.py::test_no_limit_of_the_sdks_sends_half_a_pair_or_changes_what_is_stored",
        "tests/memory/test_timeline.py::test_recent_turns_hold_no_half_of_a_pair_and_no_part_of_a_run",
        "tests/desk/test_cases_runs.py::test_a_message_is_sent_with_just_what_the_page_said_it_would_be",
        "tests/desk/test_runtime_window.py::test_only_the_newest_whole_turns_are_sent_and_all_stay_stored",
        "tests/ui/test_parts.py::test_what_stays_behind_is_what_is_older_than_the_rule",
        "tests/ui/test_parts.py::test_how_much_is_sent_and_left_out_is_said_in_numbers",
    )),
    Case(2, "Any cut from either end and any single removal leaves whole pairs and a session that goes on.", (
        "tests/memory/test_plans_whole.py::test_no_single_removal_and_no_cut_leaves_half_of_anything",
        "tests/memory/test_plans_whole.py::test_the_next_turn_works_after_any_single_removal",
        "tests/memory/test_properties.py::test_any_sequence_of_edits_keeps_pairs_whole_and_can_be_taken_back_to_the_byte",
    )),
    Case(3, "Half a pair a crash left is marked, explained, and mended alone, the rest untouched to the byte.", (
        "tests/memory/test_timeline.py::test_a_call_without_its_output_and_the_reverse_are_marked",
        "tests/memory/test_plans_mending.py::test_a_lone_half_can_be_removed_and_the_rest_stays_to_the_byte",
        "tests/memory/test_plans_mending.py::test_a_lone_call_in_the_middle_gets_its_result_right_behind_it",
        "tests/desk/test_runtime_window.py::test_half_a_pair_in_an_old_history_is_never_sent",
        "tests/ui/test_cases_page.py::test_half_a_pair_is_marked_in_the_list_and_explained_in_its_card",
    ), missing=REPAIR_SCREEN),
    Case(4, "A server killed while a tool ran leaves a call shown as unfinished, and the next message is answered.", (
        "tests/desk/test_runtime_process.py::test_a_server_killed_while_a_tool_ran_leaves_a_session_that_goes_on",
        "tests/desk/test_runtime_faults.py::test_what_a_killed_server_left_is_shown_and_settled_by_the_next_message",
    )),
    Case(5, "Reasoning never stays without what followed it: an edit takes it along and says so.", (
        "tests/memory/test_plans_whole.py::test_reasoning_does_not_stay_behind_without_what_followed",
        "tests/memory/test_plans_whole.py::test_what_rests_on_reasoning_that_goes_is_taken_along",
        "tests/memory/test_timeline.py::test_recent_turns_hold_no_half_of_a_pair_and_no_part_of_a_run",
    )),
    Case(6, "A message that lost the id its reasoning belongs to ends in an answer or a word, and can be mended.", (
        "tests/desk/test_cases_models.py::test_a_history_the_server_refuses_ends_in_a_word_and_the_session_goes_on_without_it",
    ), missing=f"a word that names the item a server refuses, and {EDITS_OF_SENT}"),
    Case(7, "Reasoning without a summary can be left out of what is sent while the timeline keeps it.", (
        "tests/desk/test_cases_models.py::test_reasoning_is_left_out_for_a_model_that_takes_none_and_stays_stored",
        "tests/desk/test_cases_models.py::test_a_history_the_server_refuses_ends_in_a_word_and_the_session_goes_on_without_it",
    ), missing=EDITS_OF_SENT),
    Case(8, "With storing on the model's server switched off, a second turn still works.",
        missing="a switch for storing on the server; requests leave it at the server's own default"),
    Case(9, "Along a relay of agents each item is sent once per request.", (
        "tests/desk/test_cases_runs.py::test_each_agent_of_a_relay_is_sent_each_item_once",
    ), missing="a view of stored and sent side by side"),
    Case(10, "A handoff is stored and shown with both names, and the agent that asked gets the answer.", (
        "tests/desk/test_runtime_talking.py::test_a_handoff_is_stored_and_shown_with_both_names",
        "tests/desk/test_runtime_window.py::test_a_follow_up_goes_to_the_agent_that_asked",
        "tests/memory/test_timeline.py::test_recent_turns_keep_a_relay_whole",
        "tests/ui/test_page.py::test_a_handoff_is_one_line",
    )),
    Case(11, "A follow-up reaches the agent that asked, after a restart too; after a roll back the front agent starts.", (
        "tests/desk/test_runtime_window.py::test_a_follow_up_goes_to_the_agent_that_asked",
        "tests/desk/test_runtime_window.py::test_after_a_roll_back_the_front_agent_starts_again",
    )),
    Case(12, "What is appended while a run goes on is stored in order and sent from the next turn on.", (
        "tests/desk/test_cases_runs.py::test_what_another_program_says_during_a_run_is_kept_in_order_and_sent_from_the_next_on",
        "tests/memory/test_lease.py::test_an_append_without_a_lease_passes",
    ), missing="a control of the page that adds an item by hand"),
    Case(13, "The same question twice is stored twice, and the second is sent with what the first found.", (
        "tests/desk/test_cases_runs.py::test_a_question_asked_again_is_sent_with_what_the_first_found",
        "tests/desk/test_runtime_endings.py::test_a_question_asked_twice_is_stored_twice",
        "tests/memory/test_timeline.py::test_equal_items_are_different_entries",
    )),
    Case(14, "A limit is about older turns: the running one is always sent whole.", (
        "tests/desk/test_runtime_window.py::test_with_no_turns_only_the_running_one_is_sent_and_it_is_whole",
        "tests/memory/test_sent.py::test_no_limit_of_the_sdks_sends_half_a_pair_or_changes_what_is_stored",
    )),

    # The history of a run: retries, failures, streaming, checks
    Case(15, "Taking back, retrying and editing act on the whole last turn and lose no old word before the new is there.", (
        "tests/desk/test_runtime_again.py::test_retry_leaves_one_question_and_the_new_answer",
        "tests/desk/test_runtime_again.py::test_a_retry_that_fails_puts_the_old_answer_back_and_says_so",
        "tests/desk/test_runtime_again.py::test_take_back_gives_the_text_and_undo_gives_the_turn",
        "tests/browser/test_runs.py::test_retry_leaves_one_copy_of_the_question",
        "tests/browser/test_runs.py::test_edit_and_resend_puts_the_question_back_into_the_box",
    )),
    Case(17, "Each turn stores what was said in it and nothing of before a second time.", (
        "tests/memory/test_sdk_interop.py::test_three_turns_store_two_items_each_and_never_twice",
    ), instead="The desk hands the Runner the new message alone. A program of one's own that hands it the whole list beside a session stores what it hands over, as with the SDK's class."),
    Case(18, "A message that is always sent twice is stored once.", (
        "tests/memory/test_sent.py::test_a_message_that_is_always_sent_twice_is_stored_once",
    )),
    Case(20, "Streamed or not, the same kinds are stored in the same order.", (
        "tests/memory/test_sdk_interop.py::test_streamed_or_not_the_same_kinds_are_stored_in_the_same_order",
        "tests/desk/test_runtime_window.py::test_a_turn_is_stored_as_the_sdk_stores_it",
    )),
    Case(21, "Whoever stops looking or cancels, a turn is stored whole or marked, never half.", (
        "tests/browser/test_runs.py::test_a_tab_that_is_closed_in_mid_answer_loses_nothing",
        "tests/desk/test_runtime_storms.py::test_a_stop_at_any_moment_leaves_a_sound_session",
        "tests/desk/test_runtime_faults.py::test_closing_settles_live_runs_with_the_words_said_so_far",
        "tests/memory/test_contract.py::test_a_call_that_is_cancelled_is_stored_whole_or_not_at_all",
    )),
    Case(22, "A save that fails ends the run with a sentence; the answer stays on the page, marked, and can be saved later.", (
        "tests/desk/test_runtime_faults.py::test_an_answer_that_cannot_be_stored_stays_visible_and_is_stored_later",
        "tests/desk/test_runtime_faults.py::test_the_next_message_stores_what_was_left_first",
        "tests/desk/test_runtime_storms.py::test_a_store_that_fails_at_any_write_leaves_a_sound_session",
        "tests/desk/test_cases_runs.py::test_a_table_that_another_program_drops_ends_the_run_with_a_word",
        "tests/ui/test_page.py::test_what_could_not_be_stored_stays_marked_and_can_be_saved",
    )),
    Case(23, "Stop keeps the question and finished pairs, marks the cut answer, and the next message works.", (
        "tests/desk/test_runtime_endings.py::test_stop_while_words_stream_keeps_the_words",
        "tests/desk/test_runtime_endings.py::test_stop_while_a_tool_runs_lets_the_pair_finish",
        "tests/browser/test_runs.py::test_stop_keeps_the_question_and_marks_the_cut_answer",
    ), missing=USAGE),
    Case(24, "A failure and a second try leave one question with one answer.", (
        "tests/desk/test_runtime_again.py::test_retry_after_a_failure_stores_the_question_once",
        "tests/desk/test_models.py::test_a_server_in_trouble_is_asked_again_when_it_says",
    )),
    Case(25, "A message a check refuses leaves no answer, however fast the model was, and the chat says so.", (
        "tests/desk/test_runtime_endings.py::test_a_parallel_input_check_that_trips_late_leaves_no_answer",
        "tests/desk/test_checks.py::test_the_input_check_runs_before_the_model_is_asked",
        "tests/ui/test_page.py::test_what_happened_is_a_word_in_the_chat",
    )),
    Case(26, "One refused message makes no later one be refused, and what it held is not sent with them.", (
        "tests/desk/test_runtime_endings.py::test_a_refused_message_stays_stored_and_the_next_is_answered",
        "tests/desk/test_cases_runs.py::test_a_number_that_was_refused_is_never_sent",
        "tests/desk/test_checks.py::test_only_the_newest_message_is_looked_at",
    )),
    Case(27, "An answer that was withheld is in no store and no later request; the pairs of its turn are kept.", (
        "tests/desk/test_runtime_endings.py::test_a_withheld_answer_is_nowhere",
        "tests/desk/test_runtime_endings.py::test_a_card_number_is_never_shown_half_or_whole_while_it_streams",
    )),
    Case(28, "At the step limit finished pairs are kept and the chat says that the limit was reached.", (
        "tests/desk/test_runtime_endings.py::test_the_step_limit_keeps_finished_pairs_and_says_so",
    )),
    Case(29, "Items that share a placeholder id are sent without it and removed one by one.", (
        "tests/desk/test_cases_models.py::test_messages_of_one_placeholder_id_are_sent_without_it_and_removed_one_by_one",
        "tests/memory/test_plans_whole.py::test_items_that_share_a_placeholder_id_are_told_apart",
    )),
    Case(30, "A session goes on under another kind of model.", (
        "tests/desk/test_cases_models.py::test_what_one_kind_of_model_left_is_fit_for_the_other",
        "tests/desk/test_model_trouble.py::test_items_that_a_server_of_chat_completions_cannot_be_sent_are_left_out_and_counted",
    ), missing="a switch of the model on the page, with a word before sending about items it cannot take"),
    Case(31, "Reasoning is left out for a model that takes none, and stays in the timeline.", (
        "tests/desk/test_cases_models.py::test_reasoning_is_left_out_for_a_model_that_takes_none_and_stays_stored",
    )),
    Case(32, "A conversation kept by the server and a local session are never sent twice or merged in silence.", (
        "tests/memory/test_sdk_interop.py::test_a_session_beside_a_conversation_of_the_server_is_the_sdks_own_error",
        "tests/desk/test_runtime_sessions.py::test_backends_do_not_share_an_id",
        "tests/memory/copying/test_between_stores.py::test_every_item_comes_along_in_order_between_any_two_stores",
        "tests/browser/test_sealed.py::test_picking_another_backend_asks_and_a_copy_can_be_encrypted_on_the_way",
    ), missing=CONVERSATIONS),
    Case(33, "A large picture is shown by kind and size, and the page stays quick.", (
        "tests/memory/test_timeline.py::test_the_words_of_an_item_are_what_a_person_would_read",
        "tests/ui/test_place.py::test_whatever_is_stored_the_page_is_drawn_and_loads_nothing",
        "tests/ui/test_cases_page.py::test_a_huge_item_is_drawn_by_its_beginning",
    ), missing=f"pictures in messages, a button that replaces one by a note, {TRANSFER}"),

    # Approvals and ways back
    Case(35, "A new message closes a waiting decision with a stored result; the old card does nothing afterwards.", (
        "tests/desk/test_runtime_decisions.py::test_a_new_message_closes_the_decision_as_superseded",
        "tests/browser/test_runs.py::test_a_new_message_closes_a_waiting_decision_with_a_word",
    )),
    Case(37, "A store that fails right after an approval never makes the tool run twice or loses its result.", (
        "tests/desk/test_runtime_storms.py::test_a_store_that_fails_around_a_decision_never_refunds_twice",
        "tests/desk/test_runtime_decisions.py::test_a_decision_cut_off_by_a_crash_is_shown_with_what_the_orders_say",
    )),
    Case(38, "A pause under an output check and a stop-at-tool rule stores call and result, in order.", (
        "tests/desk/test_runtime_window.py::test_a_pause_under_a_stop_at_tool_rule_and_an_output_check_stores_call_and_result",
    )),
    Case(39, "What a person says of one call counts for that call, and the reason is stored as its result.", (
        "tests/desk/test_runtime_decisions.py::test_each_of_several_calls_is_decided_on_its_own",
        "tests/desk/test_runtime_decisions.py::test_rejected_nothing_is_done_and_the_reason_reaches_the_agent",
    ), instead="There is no answer for always: each call is asked about by itself."),
    Case(40, "Approved after a restart, the tool runs once and is not asked about again.", (
        "tests/desk/test_runtime_decisions.py::test_it_waits_through_a_restart",
        "tests/desk/test_runtime_window.py::test_a_paused_run_goes_on_with_the_agent_a_person_had_chosen",
        "tests/browser/test_desk.py::test_a_waiting_decision_is_still_there_after_a_restart",
    )),
    Case(41, "After a roll back to before an approval the same request asks again.", (
        "tests/desk/test_cases_runs.py::test_what_was_approved_before_a_roll_back_is_asked_again_after_it",
        "tests/desk/test_runtime_decisions.py::test_after_a_roll_back_the_same_request_asks_again",
    )),
    Case(42, "After a roll back agent, counts and waiting decisions are those of what is left.", (
        "tests/desk/test_cases_runs.py::test_what_was_approved_before_a_roll_back_is_asked_again_after_it",
        "tests/desk/test_runtime_window.py::test_after_a_roll_back_the_front_agent_starts_again",
        "tests/ui/test_cases_page.py::test_all_areas_agree_after_a_roll_back",
    ), missing=USAGE),
    Case(43, "A roll back leaves the session's settings alone.", (
        "tests/ui/test_cases_page.py::test_all_areas_agree_after_a_roll_back",
        "tests/memory/test_contract.py::test_settings_given_at_the_start_are_kept",
    ), missing="titles and tags of sessions"),
    Case(44, "An edit the store refuses half way is undone, or says exactly what was and was not taken.", (
        "tests/memory/test_cut_off.py::test_an_edit_the_store_refuses_in_the_middle_never_was",
        "tests/memory/test_foreign_trouble.py::test_a_pop_that_fails_puts_everything_back",
        "tests/memory/test_foreign_trouble.py::test_a_putting_back_that_fails_is_half_done_and_stays_in_the_ledger",
    )),
    Case(45, "After a message was edited and sent again, a reload shows the new turn alone.", (
        "tests/ui/test_cases_page.py::test_after_edit_and_resend_a_reload_shows_only_the_new_turn",
        "tests/browser/test_runs.py::test_edit_and_resend_puts_the_question_back_into_the_box",
    )),
    Case(46, "What was removed is gone for every tab and after every restart.", (
        "tests/desk/test_cases_runs.py::test_what_was_taken_away_stays_away_after_a_restart_and_can_still_be_brought_back",
        "tests/browser/test_runs.py::test_another_tabs_change_is_seen_without_a_click",
        "tests/ui/test_edits_page.py::test_clear_with_purge_leaves_nothing_to_undo",
    ), instead="A removal is not permanent: undo brings it back, after a restart too. What is permanent stands apart and says so."),
    Case(47, "Who is in a session that is deleted, here or in another tab, is told, and may start afresh.", (
        "tests/ui/test_edits_page.py::test_a_session_emptied_in_another_tab_says_so",
        "tests/ui/test_edits_page.py::test_delete_asks_once_with_the_name_and_the_count",
        "tests/desk/test_runtime_sessions.py::test_a_deleted_session_is_gone_and_can_begin_again",
    )),

    # Stores, and many at once
    Case(49, "Many first writers of one new session all store, or are refused with a word.", (
        "tests/memory/test_contract.py::test_ten_first_writers_of_one_session_all_store",
        "tests/desk/test_runtime_process.py::test_ten_tabs_that_send_at_once_to_a_new_session_get_one_run",
    )),
    Case(50, "A lock that passes costs nothing; one that stays is told in a sentence and nothing is lost.", (
        "tests/desk/test_runtime_faults.py::test_a_lock_that_passes_costs_nothing",
        "tests/desk/test_runtime_faults.py::test_a_question_that_cannot_be_stored_is_refused",
        "tests/desk/test_runtime_faults.py::test_an_answer_that_cannot_be_stored_stays_visible_and_is_stored_later",
    )),
    Case(51, "Batches of several writers are all stored, none is split, each in its order.", (
        "tests/memory/test_contract.py::test_batches_of_many_writers_are_never_split",
    )),
    Case(52, "Several that open one new file at once all work.", (
        "tests/desk/test_runtime_process.py::test_eight_servers_that_open_one_new_file_at_once_all_work",
    )),
    Case(53, "One session has one live run: a second is refused with a word, and turns are never mixed.", (
        "tests/desk/test_runtime_process.py::test_two_processes_on_one_session_have_one_live_run",
        "tests/desk/test_runtime_faults.py::test_a_session_another_server_works_on_is_refused_there_and_here",
        "tests/memory/test_lease.py::test_of_many_that_ask_at_once_one_gets_the_lease",
        "tests/browser/test_runs.py::test_a_second_tab_sees_the_run_and_may_not_send_into_it",
    )),
    Case(54, "A conversation the server has locked is waited for.", missing=CONVERSATIONS),
    Case(55, "Two first calls make one conversation on the server.", missing=CONVERSATIONS),
    Case(56, "Looking and undoing make no conversation on the server.", missing=CONVERSATIONS),
    Case(58, "A limit means the same on every kind of session: none is all, 0 is nothing, what is no count is refused.", (
        "tests/memory/test_contract.py::test_a_limit_gives_the_newest_in_time_order",
        "tests/memory/test_contract.py::test_a_limit_that_is_no_count_is_refused_in_one_sentence",
        "tests/desk/test_runtime_window.py::test_a_negative_rule_is_refused",
        "tests/ui/test_place.py::test_what_is_wrong_in_a_link_is_said_and_ignored",
    )),
    Case(59, "A batch with an item the store cannot take is refused as a whole, and never in silence.", (
        "tests/memory/test_contract.py::test_a_batch_with_an_item_that_is_not_json_stores_nothing",
        "tests/memory/test_contract.py::test_an_item_that_nests_without_end_is_refused",
    ), missing=f"{CONVERSATIONS}, where a server may refuse one item of several"),
    Case(61, "Rows that cannot be read take no place in a limit, and are counted.", (
        "tests/memory/test_contract.py::test_rows_that_cannot_be_read_take_no_place_in_a_limit",
        "tests/memory/test_timeline.py::test_recent_turns_leave_out_what_cannot_be_read",
        "tests/ui/test_page.py::test_unreadable_entries_are_counted_and_named",
    )),
    Case(62, "A store that cannot be read as a whole is not called empty, not written to, and left to the byte.", (
        "tests/desk/test_runtime_faults.py::test_a_junk_file_is_told_and_left_as_it_is",
        "tests/memory/test_timeline.py::test_a_store_that_is_broken_as_a_whole_is_not_shown_as_empty",
        "tests/ui/test_page.py::test_a_store_that_cannot_be_read_says_so_and_is_not_called_empty",
    ), instead="Starting afresh is done outside: by moving the file, or by another DESK_DATA."),
    Case(63, "An edit cut off at any statement leaves the state before or the state after it.", (
        "tests/memory/test_cut_off.py::test_a_process_that_dies_at_any_statement_of_an_edit_leaves_before_or_after",
        "tests/memory/test_cut_off.py::test_an_edit_the_store_refuses_in_the_middle_never_was",
        "tests/memory/test_foreign_cut_off.py::test_a_roll_back_cut_off_in_the_middle_is_finished_on_reopening",
    )),
    Case(67, "After a clear numbers begin again, and an undo in one branch touches nothing in another.", (
        "tests/memory/test_contract.py::test_numbers_begin_again_after_a_clear",
        "tests/memory/test_branch.py::test_an_undo_in_one_touches_nothing_in_the_other",
    ), missing=USAGE),
    Case(68, "A deleted session leaves no row; deleting one that is not there changes nothing.", (
        "tests/desk/test_runtime_sessions.py::test_a_deleted_session_leaves_no_word_in_the_data_folder",
        "tests/desk/test_cases_runs.py::test_deleting_a_session_that_is_not_there_touches_no_other",
    )),
    Case(70, "Ids are told apart by every letter, however long they are.", (
        "tests/memory/test_contract.py::test_long_ids_that_differ_only_at_the_end_are_two_sessions",
        "tests/memory/test_contract.py::test_sessions_are_told_apart_by_the_whole_id_to_the_letter",
        "tests/memory/test_sqlalchemy.py::test_ids_that_share_a_long_beginning_are_different_sessions",
        "tests/memory/test_sqlalchemy.py::test_ids_that_differ_in_case_accents_or_blanks_are_different_sessions",
    )),
    Case(73, "Connections are no one thread's own: any tab, any rerun, any thread may ask.", (
        "tests/desk/test_cases_runs.py::test_many_tabs_that_look_plan_and_talk_at_once_get_no_error",
        "tests/ui/test_cases_page.py::test_a_fresh_page_reads_then_talks_twice_and_a_second_tab_goes_on",
    )),
    Case(74, "A deleted conversation is in no file: not in copies, decisions, orders, logs.", (
        "tests/desk/test_runtime_sessions.py::test_a_deleted_session_leaves_no_word_in_the_data_folder",
        "tests/memory/test_undo.py::test_what_is_purged_is_in_no_file",
        "tests/desk/test_orders.py::test_forgetting_a_session_erases_its_words_from_the_file",
        "tests/desk/test_runtime_process.py::test_no_word_of_the_conversation_reaches_the_log",
    )),
    Case(75, "An id with marks that a database reads as patterns is that id and no other.", (
        "tests/memory/test_contract.py::test_sessions_are_told_apart_by_the_whole_id_to_the_letter",
        "tests/memory/test_contract.py::test_an_id_may_be_any_text",
        "tests/ui/test_place.py::test_a_session_s_name_is_text_everywhere",
    ), missing=f"{SEARCH}, and deleting several sessions at once"),
    Case(76, "Two processes that write to one session both store every turn.", (
        "tests/memory/test_processes.py::test_nothing_of_two_processes_and_sixteen_tasks_is_lost_doubled_split_or_out_of_order",
    )),

    # Encryption and times to live
    Case(77, "With another key a session is locked, not empty, and nothing of it can be taken.", (
        "tests/memory/test_codec.py::test_with_another_key_a_session_is_locked_and_not_empty",
        "tests/memory/test_codec.py::test_nothing_that_was_said_stands_open_in_any_file",
        "tests/memory/test_encrypted.py::test_with_a_wrong_key_every_entry_is_shown_as_locked_and_none_is_given",
        "tests/memory/test_encrypted.py::test_with_a_wrong_key_no_edit_is_made_and_with_the_right_one_all_is_there",
        "tests/desk/test_sealed.py::test_a_wrong_key_shows_locked_entries_and_destroys_nothing",
    )),
    Case(79, "Entries that expired or cannot be read hide no older ones.", (
        "tests/memory/test_contract.py::test_rows_that_cannot_be_read_take_no_place_in_a_limit",
        "tests/memory/test_encrypted.py::test_unreadable_rows_take_no_place_in_a_limit",
        "tests/memory/test_encrypted.py::test_an_expired_tail_is_skipped_without_decrypting_and_found_at_once_again",
    )),
    Case(80, "One damaged envelope is shown as such and leaves the rest readable.", (
        "tests/memory/test_codec.py::test_an_open_row_among_sealed_ones_is_shown_as_that",
        "tests/memory/test_timeline.py::test_a_row_that_cannot_be_read_is_shown_and_counted",
        "tests/memory/test_envelope.py::test_one_damaged_row_is_shown_as_such_and_the_rest_stays_readable",
        "tests/memory/test_envelope.py::test_clearing_keeps_damaged_rows_for_undo_to_the_byte",
    )),
    Case(81, "What was written under a clock that is ahead is labelled, not hidden.", (
        "tests/memory/test_encrypted_time.py::test_rows_of_a_clock_that_is_ahead_are_named_and_come_by_themselves",
        "tests/memory/test_encrypted_time.py::test_a_minute_ahead_is_no_matter_and_without_a_time_to_live_none_is",
    )),
    Case(82, "A time to live hides no half of a pair, says what it does, and can be purged.", (
        "tests/memory/test_encrypted_time.py::test_a_pair_or_a_run_of_which_a_part_has_expired_is_not_sent",
        "tests/memory/test_encrypted_time.py::test_a_time_to_live_that_is_none_is_refused_in_one_sentence",
        "tests/memory/test_encrypted_time.py::test_a_longer_time_to_live_gives_back_what_had_expired",
        "tests/desk/test_sealed.py::test_what_has_expired_is_not_sent_and_still_shown",
        "tests/desk/test_sealed.py::test_looking_ahead_shows_what_will_have_expired_and_changes_nothing",
        "tests/ui/test_sealed.py::test_the_clock_moves_the_view_alone_and_locks_every_edit",
    )),

    # Text
    Case(83, "Text of any script is readable in the file and on the page, and comes back as it was.", (
        "tests/memory/test_sdk_interop.py::test_any_text_comes_back_as_it_was_in_both",
        "tests/memory/test_sdk_interop.py::test_text_can_be_read_in_the_file_as_it_was_written",
        "tests/desk/test_cases_runs.py::test_any_text_is_stored_and_sent_to_the_letter",
        "tests/ui/test_text.py::test_json_is_laid_out_in_real_characters",
    ), missing=f"{SEARCH}, {TRANSFER}"),
    Case(84, "Searching finds words of any script, literally.", missing=SEARCH),
    Case(86, "A text with a NUL is stored as it is, an id with one is refused, a typed escape stays typed.", (
        "tests/desk/test_cases_runs.py::test_any_text_is_stored_and_sent_to_the_letter",
        "tests/desk/test_cases_runs.py::test_any_text_in_a_tool_call_is_stored_to_the_letter",
        "tests/desk/test_runtime_sessions.py::test_an_id_that_cannot_be_seen_or_is_too_long_is_refused",
        "tests/ui/test_text.py::test_what_misleads_or_breaks_is_replaced_by_a_visible_sign",
    )),
    Case(87, "A key that cannot be one is named without being shown, and touches nothing that is stored.", (
        "tests/desk/test_cases_runs.py::test_a_key_that_cannot_be_one_fails_the_answer_and_leaves_what_is_stored",
        "tests/desk/test_models.py::test_a_key_that_cannot_be_one_is_named_without_being_shown",
        "tests/desk/test_cases_models.py::test_half_a_surrogate_pair_that_is_stored_ends_no_session",
    )),
    Case(88, "Hostile text is text: no character disappears, nothing is loaded, nothing runs.", (
        "tests/ui/test_text.py::test_an_answer_is_drawn_with_every_character_it_has",
        "tests/ui/test_text.py::test_markup_holds_only_our_own_elements",
        "tests/ui/test_text.py::test_a_label_holds_no_markdown",
        "tests/browser/test_page.py::test_hostile_text_is_shown_as_typed_and_fetches_nothing",
    )),
    Case(89, "Line breaks and leading blanks are kept on the page and in the store.", (
        "tests/browser/test_page.py::test_lines_are_kept_as_typed",
        "tests/ui/test_page.py::test_what_is_typed_is_sent_as_it_is",
        "tests/desk/test_cases_runs.py::test_any_text_is_stored_and_sent_to_the_letter",
    )),
    Case(90, "An answer looks the same while it streams, when it ends and after a reload; a fence ends with its message.", (
        "tests/ui/test_parts.py::test_a_live_run_and_the_stored_turn_are_drawn_alike",
        "tests/ui/test_text.py::test_a_fence_ends_with_its_message",
    )),

    # The page
    Case(91, "In a fresh process the first thing may be a look and the next a message, on every backend.", (
        "tests/ui/test_cases_page.py::test_a_fresh_page_reads_then_talks_twice_and_a_second_tab_goes_on",
        "tests/desk/test_runtime_process.py::test_looking_and_editing_never_load_the_sdk",
        "tests/browser/test_desk.py::test_a_newcomer_has_the_first_conversation_rolls_it_back_undoes_and_restarts",
    )),
    Case(92, "One streamed answer after another works, from any thread, with a client that is kept.", (
        "tests/desk/test_cases_models.py::test_what_one_kind_of_model_left_is_fit_for_the_other",
        "tests/desk/test_models.py::test_a_model_made_outside_any_loop_answers_in_one_loop_after_the_other",
        "tests/ui/test_cases_page.py::test_a_fresh_page_reads_then_talks_twice_and_a_second_tab_goes_on",
    )),
    Case(93, "A pooled database engine belongs to one loop, and its pool stays as large as it was.", (
        "tests/memory/test_sqlalchemy.py::test_sessions_on_one_engine_work_in_one_event_loop_after_another",
        "tests/desk/test_growth.py::test_a_hundred_turns_leave_nothing_behind",
    )),
    Case(95, "A second message while an answer streams is refused with its draft kept; none is lost or doubled.", (
        "tests/desk/test_runtime_talking.py::test_a_second_send_is_refused_and_stores_nothing",
        "tests/desk/test_runtime_process.py::test_ten_tabs_that_send_at_once_to_a_new_session_get_one_run",
        "tests/ui/test_page.py::test_a_refused_message_stays_in_the_composer_and_says_why",
        "tests/browser/test_runs.py::test_a_second_tab_sees_the_run_and_may_not_send_into_it",
    )),
    Case(97, "A picked entry stays picked and in sight when a turn is added: it is the entry, not its place.", (
        "tests/browser/test_cases.py::test_a_pick_far_up_in_a_long_list_is_kept_in_sight_while_a_turn_is_added",
        "tests/ui/test_cases_page.py::test_a_pick_far_up_stays_when_a_turn_is_added",
        "tests/ui/test_page.py::test_the_pick_is_the_entry_wherever_it_stands",
    )),
    Case(98, "While an answer is written each message is on the page once.", (
        "tests/ui/test_page.py::test_a_live_answer_stands_below_the_entries_from_before_it",
        "tests/ui/test_parts.py::test_while_a_run_is_live_its_entries_are_not_drawn_twice",
        "tests/browser/test_runs.py::test_a_reload_in_mid_answer_finds_the_answer_still_being_written",
    )),
    Case(99, "After many messages the box and the newest words are on the first screen, on a phone too.", (
        "tests/browser/test_cases.py::test_after_thirty_messages_the_box_and_the_newest_words_are_on_the_first_screen",
        "tests/browser/test_page.py::test_nothing_scrolls_sideways_and_the_box_is_on_the_first_screen",
    )),
    Case(100, "After an edit chat, list, counts, bar and state agree with the store at once.", (
        "tests/ui/test_cases_page.py::test_all_areas_agree_after_a_roll_back",
        "tests/ui/test_edits_page.py::test_roll_back_removes_what_is_after_the_picked_entry",
    )),
    Case(101, "A reload or a link brings session, backend and a waiting decision back; no key is in the address.", (
        "tests/ui/test_place.py::test_a_link_opens_its_session_on_its_backend",
        "tests/browser/test_desk.py::test_a_waiting_decision_is_still_there_after_a_restart",
        "tests/desk/test_runtime_decisions.py::test_the_second_of_two_answers_does_nothing",
        "tests/ui/test_cases_page.py::test_a_key_is_neither_in_the_address_nor_on_the_page",
    )),
    Case(102, "What visitors share is said; no visitor's key or pass-phrase reaches another.", (
        "tests/ui/test_cases_page.py::test_what_is_in_memory_is_seen_by_every_visitor_and_says_so",
        "tests/memory/test_contract.py::test_two_objects_in_memory_are_two_memories",
        "tests/ui/test_sealed.py::test_a_key_that_was_set_is_not_shown",
    ), missing="keys of one's own per visitor; keys are the server's"),
    Case(103, "A setting survives the hiding of its field, and what is shown is what is used.", (
        "tests/ui/test_place.py::test_how_many_turns_are_sent_is_kept_over_backends_and_reloads",
        "tests/ui/test_sealed.py::test_a_time_to_live_is_chosen_and_shown",
    ), missing="a second page to go to and come back from"),
    Case(104, "One question at a time; cancel changes nothing; a plan and a confirmation count once.", (
        "tests/ui/test_edits_page.py::test_delete_asks_once_with_the_name_and_the_count",
        "tests/ui/test_edits_page.py::test_delete_is_refused_when_the_count_on_the_button_is_no_longer_true",
        "tests/memory/test_plans_stale.py::test_a_plan_can_be_applied_once",
    )),
    Case(105, "Very many and very long items: counted, paged, folded, drawn a portion at a time.", (
        "tests/memory/test_timeline.py::test_ten_thousand_items_are_counted_and_paged",
        "tests/ui/test_cases_page.py::test_a_huge_item_is_drawn_by_its_beginning",
        "tests/ui/test_cases_page.py::test_many_long_items_are_counted_and_drawn_a_portion_at_a_time",
        "tests/ui/test_page.py::test_older_entries_are_paged",
    )),
    Case(106, "Contents of any JSON kind are shown as text, without an error.", (
        "tests/ui/test_place.py::test_whatever_is_stored_the_page_is_drawn_and_loads_nothing",
        "tests/memory/test_sdk_interop.py::test_any_json_value_comes_back_as_it_was_in_both",
    )),
    Case(107, "Whatever the page does can be driven by a test: each action is a button or a field.", (
        "tests/ui/test_page.py::test_the_card_steps_through_the_entries_by_buttons",
        "tests/ui/test_edits_page.py::test_clear_undo_and_redo",
        "tests/ui/test_edits_page.py::test_truncate_keeps_the_newest_turns",
    ), instead="The first pick is made in the list alone; tests set it in the tab's state, and a browser clicks the row."),

    # Moving sessions in and out
    Case(109, "A file that is none of ours is refused in a line; a byte-order mark is accepted.", (
        "tests/desk/test_samples.py::test_a_byte_order_mark_is_accepted",
    ), missing=TRANSFER),
    Case(110, "Odd items end no session: unknown ones are kept and shown as they are.", (
        "tests/desk/test_cases_runs.py::test_odd_items_of_another_program_are_shown_kept_and_no_end_of_the_session",
        "tests/memory/test_timeline.py::test_an_entry_says_what_its_item_is",
        "tests/ui/test_place.py::test_whatever_is_stored_the_page_is_drawn_and_loads_nothing",
        "tests/desk/test_model_trouble.py::test_items_that_a_server_of_chat_completions_cannot_be_sent_are_left_out_and_counted",
        "tests/ui/test_fuzz.py::test_any_stored_items_are_drawn_and_each_can_be_picked",
    ), missing=TRANSFER),
    Case(111, "Parts imported one after another are all there, in order.", missing=TRANSFER),
    Case(112, "A file that was chosen is imported once.", missing=TRANSFER),
    Case(113, "An exported file is the store as it was at the click.", missing=TRANSFER),
    Case(114, "A conversation that ends on a handoff or a tool step goes on; an unknown agent sends it to the front.", (
        "tests/desk/test_runtime_faults.py::test_a_branch_that_ends_in_mid_turn_is_not_called_interrupted",
        "tests/desk/test_runtime_window.py::test_an_agent_nobody_knows_sends_the_follow_up_to_the_front",
    ), missing=TRANSFER),
    Case(115, "No secret leaves with what is shown or exported.", (
        "tests/desk/test_models.py::test_no_secret_is_in_what_a_choice_shows",
        "tests/desk/test_tools.py::test_no_card_number_is_filed",
        "tests/desk/test_every_store.py::test_no_password_of_a_database_that_cannot_be_reached_is_shown_or_logged",
        "tests/memory/test_encrypted.py::test_no_error_tells_of_the_key_or_of_what_was_said",
    ), missing=TRANSFER),
)
# fmt: on
