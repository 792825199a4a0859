import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { safeToolName } from '../../../../../src/generate/names.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

/** Encodes the tools and the tool choice; returns no members if the request has no tools. */
export function encodeTools(request: GenerateRequest): JsonObject {
  const { tools, toolChoice, parallelToolCalls } = request
  if (tools.length === 0) return {}
  return {
    tools: tools.map(encodeTool),
    ...(toolChoice && { tool_choice: encodeChoice(toolChoice, tools) }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

function encodeTool(tool: Tool): JsonObject {
  const { kind, name, description } = tool
  const shared = {
    type: kind,
    name: safeToolName(name),
    ...(description !== undefined && { description }),
  }
  if (tool.kind === 'custom') {
    return { ...shared, ...(tool.grammar && { format: { type: 'grammar', ...tool.grammar } }) }
  }
  // In this dialect tools are strict by default; in other dialects they are not.
  const { parameters = noParameters, strict = false, outputSchema } = tool
  return { ...shared, parameters, strict, ...(outputSchema && { output_schema: outputSchema }) }
}

const noParameters = { type: 'object', properties: {}, required: [], additionalProperties: false }

function encodeChoice({ mode, only }: ToolChoice, tools: readonly Tool[]): unknown {
  if (mode === 'none' || only?.length === 0) return 'none'
  if (only === undefined) return mode
  const kinds = new TextMap(tools.toReversed().map(({ name, kind }) => [name, kind]))
  const chosen = only.map((name) => ({
    type: kinds.get(name) ?? 'function',
    name: safeToolName(name),
  }))
  const isForced = mode === 'required' && chosen.length === 1
  return isForced ? chosen[0] : { type: 'allowed_tools', mode, tools: chosen }
}
