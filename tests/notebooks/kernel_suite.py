"""jupyter_kernel_test, the conformance tests of the Jupyter project, with samples of Lua. None may be skipped."""

import sys
import unittest

import jupyter_kernel_test


class MoonpodTests(jupyter_kernel_test.KernelTests):
    kernel_name = "moonpod"
    language_name = "lua"
    file_extension = ".lua"
    code_hello_world = 'print("hello, world")'
    code_stderr = 'io.stderr:write("to the errors\\n")'
    completion_samples = [
        {"text": "string.up", "matches": {"upper"}},
        {"text": "pod.layers.den", "matches": {"dense"}},
        {"text": "x = math.fl", "matches": {"floor"}},
        {"text": "%prec", "matches": {"precision"}},
    ]
    complete_code_samples = ["1 + 1", "x = 2", "for i = 1, 3 do print(i) end", "%who", "?pod", "local t = {\n1 }"]
    incomplete_code_samples = ["for i = 1, 3 do", "f(", "x = {1,", "print [[text", "if x then\n  y = 1"]
    invalid_code_samples = ["x = = 2", "end", "1 +* 2"]
    code_page_something = "?pod.layers.dense"
    code_generate_error = 'error "an error"'
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": '("a"):rep(3)', "result": '"aaa"'},
        {"code": "6 * 7 + 0", "result": "42"},
        {"code": "6 * 7 + 1", "result": "43"},
        {"code": "pod.plot.line { 1, 2, 3 }", "mime": "image/svg+xml"},
    ]
    code_display_data = [{"code": "pod.display(pod.plot.bar { 1, 2 }); x = 1", "mime": "image/svg+xml"}]
    code_history_pattern = "6 ? 7"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "pod.layers.dense"
    code_clear_output = 'print "gone" \n%clear'
    support_iopub_welcome = True


if __name__ == "__main__":
    program = unittest.main(exit=False, argv=sys.argv[:1])
    skipped = len(program.result.skipped)
    print(f"jupyter_kernel_test {jupyter_kernel_test.__version__}: {program.result.testsRun} tests, {skipped} skipped")
    sys.exit(not program.result.wasSuccessful() or skipped > 0)
