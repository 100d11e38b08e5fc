rockspec_format = "3.0"
package = "moonpod"
version = "scm-1"

-- Of the checkout that it lies in: `luarocks make`. ./dev release makes a rockspec and a rock of a version from this.
source = {
  url = "git+file://.",
}

description = {
  summary = "Trains neural networks on replicated TPU-style cores",
  detailed = [[
Moonpod compiles one step of training into a static program and runs it on as many replicated cores as the strategy
says, on the CPU at hand. Needs CMake, a C compiler, pkg-config, libuv, zlib, libdeflate and TurboJPEG.]],
  license = "MIT",
}

dependencies = {
  "lua >= 5.1, < 5.5",
}

build = {
  type = "cmake",
  copy_directories = { "docs", "examples", "notebooks" },
  variables = {
    CMAKE_BUILD_TYPE = "Release",
    MOONPOD_TESTS = "OFF",
    MOONPOD_ROCK = "ON",
    MOONPOD_ROCK_INCLUDE = "$(LUA_INCDIR)",
    MOONPOD_ROCK_LIBDIR = "$(LIBDIR)",
    MOONPOD_ROCK_LUADIR = "$(LUADIR)",
  },
}
