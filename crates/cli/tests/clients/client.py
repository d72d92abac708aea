"""Asks `inwit mcp` for everything it offers, with the official Python SDK.

The only argument is a plan in JSON: `command`, `mode` (`auto`: the newer generation where the server speaks
it; `legacy`: the older handshake), `calls` (tool to arguments) and `prompts` (name to arguments). Prints what
came back as one line of JSON. The SDK holds every structured answer against the tool's output schema.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def main() -> None:
    plan = json.loads(sys.argv[1])
    command, *arguments = plan["command"]
    server = StdioServerParameters(command=command, args=arguments, env=plan["env"], cwd=plan["folder"])
    told = {"tools": {}, "resources": {}, "prompts": {}, "unplanned": []}
    async with Client(server, mode=plan["mode"]) as client:
        told["protocol"] = client.protocol_version
        told["server"] = client.server_info.name
        told["instructions"] = client.instructions
        for tool in (await client.list_tools()).tools:
            if tool.name not in plan["calls"]:
                told["unplanned"].append(tool.name)
                continue
            result = await client.call_tool(tool.name, plan["calls"][tool.name])
            told["tools"][tool.name] = {"failed": bool(result.is_error), "answer": result.structured_content}
        told["templates"] = len((await client.list_resource_templates()).resource_templates)
        for resource in (await client.list_resources()).resources:
            contents = (await client.read_resource(resource.uri)).contents
            told["resources"][str(resource.uri)] = sum(len(content.text) for content in contents)
        for prompt in (await client.list_prompts()).prompts:
            if prompt.name not in plan["prompts"]:
                told["unplanned"].append(prompt.name)
                continue
            made = await client.get_prompt(prompt.name, plan["prompts"][prompt.name])
            told["prompts"][prompt.name] = len(made.messages)
    print(json.dumps(told))


asyncio.run(main())
