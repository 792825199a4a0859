import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { choiceField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { safeToolName } from '../../../../../src/generate/names.ts'
import { TextSet } from '../../../../../src/lib/text-map.ts'

/** Encodes `tools`, `tool_choice` and `parallel_tool_calls`; returns no members without tools. */
export function encodeTools(request: GenerateRequest, drop: RecordLoss): JsonObject {
  const { tools, toolChoice, parallelToolCalls } = request
  const allowed = allowedTools(tools, toolChoice)
  if (allowed.length === 0) {
    if (tools.length > 0) drop(choiceField(request), 'the tool choice names none of the tools')
    return {}
  }
  const choice = toolChoice && encodeChoice(toolChoice, allowed)
  return {
    tools: allowed.map(encodeTool),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

/**
 * Returns the tools that the choice allows. It filters the tools because few providers besides OpenAI
 * support `allowed_tools`. All support one forced tool.
 */
function allowedTools(tools: readonly Tool[], choice: ToolChoice | undefined): readonly Tool[] {
  const { only } = choice ?? {}
  if (!only || isForced(choice)) return tools
  const allowed = new TextSet(only)
  return tools.filter(({ name }) => allowed.has(name))
}

function isForced(choice: ToolChoice | undefined): boolean {
  return choice?.mode === 'required' && choice.only?.length === 1
}

function encodeChoice(choice: ToolChoice, tools: readonly Tool[]): string | JsonObject {
  const [forced] = isForced(choice) ? (choice.only ?? []) : []
  if (forced === undefined) return choice.mode
  const kind = tools.find(({ name }) => name === forced)?.kind ?? 'function'
  return { type: kind, [kind]: { name: safeToolName(forced) } }
}

function encodeTool(tool: Tool): JsonObject {
  const named = {
    name: safeToolName(tool.name),
    ...(tool.description !== undefined && { description: tool.description }),
  }
  if (tool.kind === 'custom') {
    const { grammar } = tool
    const format = grammar && { type: 'grammar', grammar }
    return { type: 'custom', custom: { ...named, ...(format && { format }) } }
  }
  return {
    type: 'function',
    function: {
      ...named,
      ...(tool.parameters && { parameters: objectSchema(tool.parameters) }),
      ...(tool.strict !== undefined && { strict: tool.strict }),
    },
  }
}

/** Completes a schema of arguments, which requires `type: object` and `properties`. */
function objectSchema(schema: JsonObject): JsonObject {
  if (schema.type === 'object' && schema.properties !== undefined) return schema
  return { ...schema, type: 'object', properties: schema.properties ?? {} }
}
