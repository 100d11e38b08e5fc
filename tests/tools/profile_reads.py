"""What Google's protocol buffers read of the files of a profile, by the messages of tests/tools/*.proto.

    python tests/tools/profile_reads.py FOLDER

Prints a line a thing, for tests/lua/profile_files_spec.lua:

    type NAME UNIT                          of a value of a sample
    sample COUNT TIME FLOPS BYTES NAME...   of pprof, the leaf first, names behind tabs
    thread NAME                             of Perfetto
    memory TIME BYTES                       a counter
    slice TRACK DEPTH BEGAN LASTED NAME     the same, nested as its viewer nests them
"""
import gzip
import os
import re
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

KINDS = {"int32": 5, "int64": 3, "uint32": 13, "uint64": 4, "string": 9}


def messages_of(path):
    """Reads messages of fields, one a line, which is all that the files have."""
    file = descriptor_pb2.FileDescriptorProto(name=os.path.basename(path), syntax="proto3")
    text = open(path, encoding="utf-8").read()
    file.package = re.search(r"package (\w+);", text)[1]
    for name, body in re.findall(r"message (\w+) \{\n(.*?)\n\}", text, re.S):
        message = file.message_type.add(name=name)
        for many, kind, field, number in re.findall(r"(repeated )?(\w+) (\w+) = (\d+);", body):
            added = message.field.add(name=field, number=int(number), label=3 if many else 1)
            added.type = KINDS.get(kind, 11)
            if kind not in KINDS:
                added.type_name = f".{file.package}.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return lambda name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{file.package}.{name}"))()


def parse(proto, name, data):
    message = messages_of(os.path.join(os.path.dirname(__file__), proto))(name)
    message.ParseFromString(data)
    return message


def read_pprof(path):
    with gzip.open(path) as file:
        profile = parse("pprof.proto", "Profile", file.read())
    strings = profile.string_table
    assert strings[0] == "", "the first string is empty"
    functions = {one.id: strings[one.name] for one in profile.function}
    locations = {one.id: functions[one.line[0].function_id] for one in profile.location}
    assert len(functions) == len(profile.function) and len(locations) == len(profile.location), "numbers are unique"
    assert 0 not in functions and 0 not in locations
    for one in profile.sample_type:
        print("type", strings[one.type], strings[one.unit])
    for one in profile.sample:
        assert len(one.value) == len(profile.sample_type)
        print("sample", *one.value, *["\t" + locations[id] for id in one.location_id])


def read_perfetto(path):
    with open(path, "rb") as file:
        trace = parse("perfetto.proto", "Trace", file.read())
    names, tracks, open_slices = {}, set(), {}
    assert trace.packet[0].sequence_flags == 1, "the first packet begins the sequence"
    for packet in trace.packet:
        names.update({one.iid: one.name for one in packet.interned_data.event_names})
        if packet.HasField("track_descriptor"):
            tracks.add(packet.track_descriptor.uuid)
            if packet.track_descriptor.HasField("thread"):
                print("thread", packet.track_descriptor.thread.thread_name)
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        if event.type == 4:
            print("memory", packet.timestamp, event.counter_value)
            continue
        assert event.track_uuid in tracks, "a slice is of a track that was told of"
        stack = open_slices.setdefault(event.track_uuid, [])
        if event.type == 1:
            stack.append((packet.timestamp, event.name or names[event.name_iid]))
        else:
            assert event.type == 2 and stack, "what ends had begun"
            began, name = stack.pop()
            assert began <= packet.timestamp
            assert not stack or stack[-1][0] <= began
            print("slice", event.track_uuid, len(stack), began, packet.timestamp - began, name)
    assert not any(open_slices.values()), "what began ends"


read_pprof(os.path.join(sys.argv[1], "profile.pb.gz"))
read_perfetto(os.path.join(sys.argv[1], "trace.perfetto"))
