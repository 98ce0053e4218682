"""The Python SDK, in the mode each target names: "auto" or "legacy".

The first argument is a JSON array of targets, each one of
  {"command": "...", "args": ["..."], "cwd": "..."}   {"http": "url"}
with an optional "mode" and an optional "call": {"name": "...", "arguments": {...}}.
One line of JSON is printed for each target, in order.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


def dumped(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def names(items):
    return [item.name for item in items]


async def visit(target):
    if "http" in target:
        server = target["http"]
    else:
        server = StdioServerParameters(
            command=target["command"], args=target.get("args", []), cwd=target.get("cwd")
        )
    async with Client(server, mode=target.get("mode", "auto")) as client:
        able = client.server_capabilities
        call = target.get("call")
        return {
            "protocolVersion": client.protocol_version,
            "server": dumped(client.server_info) if client.server_info else None,
            "instructions": client.instructions,
            "tools": names((await client.list_tools()).tools) if able.tools else None,
            "prompts": names((await client.list_prompts()).prompts) if able.prompts else None,
            "resources": names((await client.list_resources()).resources) if able.resources else None,
            "called": dumped(await client.call_tool(call["name"], call["arguments"])) if call else None,
        }


async def main():
    for target in json.loads(sys.argv[1]):
        print(json.dumps(await visit(target)), flush=True)


asyncio.run(main())
