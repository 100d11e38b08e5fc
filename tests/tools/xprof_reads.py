"""What XProf's own converters make of what profiles and projections are written as.

    PYTHONPATH=build/plugins python tests/tools/xprof_reads.py FOLDER_OF_LOGS

Prints JSON, for tests/lua/xprof_spec.lua. Times are seconds.
"""
import glob
import json
import sys

from xprof.convert import raw_to_tool_data

paths = glob.glob(sys.argv[1] + "/plugins/profile/*/*.xplane.pb")
assert len(paths) == 1, paths


def ask(tool, **options):
    """The answer of a tool of XProf's page, which is told to read the file anew."""
    data, _ = raw_to_tool_data.xspace_to_tool_data(paths, tool, {"use_saved_result": False, **options})
    assert data, tool + " has no answer"
    return json.loads(data)


def rows_of(table):
    names = [column["id"] for column in table["cols"]]
    return [dict(zip(names, [cell.get("v") for cell in row["c"]])) for row in table.get("rows", [])]


def ops_of(node, found):
    """Leaves of the tree of op_profile."""
    for child in node.get("children", []):
        ops_of(child, found)
    if not node.get("children") and node["name"] != "IDLE":
        metrics, xla = node["metrics"], node["xla"]
        found.append({
            "name": node["name"], "program": xla["programId"], "category": xla["category"],
            "layer": xla["provenance"], "file": xla["sourceInfo"]["fileName"],
            "line": xla["sourceInfo"]["lineNumber"], "seconds": metrics["rawTime"] * 1e-12,
            "flops": metrics["rawFlops"], "bytes": sum(metrics["rawBytesAccessedArray"]),
            "hbm_bytes": metrics["rawBytesAccessedArray"][0], "events": metrics["occurrences"]})
    return found


tools = raw_to_tool_data.xspace_to_tool_names(paths)
overview, pipeline = ask("overview_page"), ask("input_pipeline_analyzer")
steps = rows_of(pipeline[1])
roofline = ask("roofline_model")[0]
frameworks = rows_of(ask("framework_op_stats")[0])
trace = json.loads(raw_to_tool_data.xspace_to_tool_data(paths, "trace_viewer", {"use_saved_result": False})[0])
lines = {(event["pid"], event["tid"]): event["args"]["name"] for event in trace["traceEvents"]
         if event.get("name") == "thread_name"}
counts, modules = {}, {}
for event in trace["traceEvents"]:
    if event.get("ph") == "X":
        name = lines[event["pid"], event["tid"]]
        counts[name] = counts.get(name, 0) + 1
        if name == "XLA Modules":
            modules[event["name"]] = modules.get(event["name"], 0) + event["dur"] * 1e-6
memory = {}
for module in modules:
    viewer = ask("memory_viewer", module_name=module)
    memory[module] = {"arguments": viewer["entryComputationParametersMib"] * 2**20,
                      "all": viewer["totalBufferAllocationMib"] * 2**20,
                      "largest": viewer["maxHeapBySize"][0]["label"] if viewer["maxHeapBySize"] else ""}
allocators = ask("memory_profile")["memoryProfilePerAllocator"]
longest = max(modules, key=modules.get)
ops = [op for op in ops_of(ask("op_profile")["byProgram"], []) if op["category"] != "infeed"]
graph, _ = raw_to_tool_data.xspace_to_tool_data(paths, "graph_viewer", {"graph_viewer_options": {
    "module_name": longest, "node_name": ops[0]["name"], "graph_width": 2, "type": "graph", "format": "dot"}})
print(json.dumps({
    "tools": tools, "ops": ops, "modules": modules, "memory": memory, "lines": counts,
    "overview": overview[0]["p"] | overview[2]["p"],
    "step_seconds": float(pipeline[1]["p"]["steptime_ms_average"]) * 1e-3,
    "steps": [{"name": row["stepnum"], "compute": row["tcComputeTimeMs"] * 1e-3, "idle": row["tcIdleTimeMs"] * 1e-3,
               "infeed": row["tcInfeedTimeMs"] * 1e-3} for row in steps],
    "stages": {row["opName"]: row["timeInMs"] * 1e-3 for row in rows_of(pipeline[2])},
    "roofs": {name: float(roofline["p"][name]) for name in ("peak_flop_rate", "peak_hbm_bw", "peak_vmem_read_bw")},
    "points": {row["operation"]: row["operational_intensity"] for row in rows_of(roofline)},
    "layers": {row["operation"]: row["total_self_time"] * 1e-6 for row in frameworks
               if row["host_or_device"] == "Device"},
    "hlo_stats": {row["hlo_op_name"]: row["total_self_time"] * 1e-6 for row in rows_of(ask("hlo_stats"))},
    "memory_peaks": {name: int(one["profileSummary"]["peakBytesUsageLifetime"]) for name, one in allocators.items()},
    "graph_has_op": ops[0]["name"] in (graph.decode() if isinstance(graph, bytes) else graph),
}))
