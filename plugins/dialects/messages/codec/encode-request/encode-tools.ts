import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { choiceField } from '../../../../../src/generate/fields.ts'
import { isCall } from '../../../../../src/generate/match-results.ts'
import { safeToolName } from '../../../../../src/generate/names.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { refused } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectsIn, objectAt } from '../../../../../src/lib/json/read.ts'
import { isFullyEnforced } from './encode-output.ts'
import { EnforcedParts, enforcedSchema, forcesEmptiness } from './enforced-schema.ts'
import type { ModelFacts } from './models.ts'
import { modernSchema } from './modern-schema.ts'
import { isRecursive } from './recursive-schema.ts'
import { TextSet } from '../../../../../src/lib/text-map.ts'

const alternatives = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * Returns the schema of a tool's input in the form that accounts accept: an object without alternatives
 * at the top. The members of all alternatives are merged into one object.
 */
function toolSchema(parameters: JsonObject = {}): JsonObject {
  const choices = alternatives.flatMap((keyword) => objectsIn(parameters[keyword]))
  const { anyOf: _, oneOf: _o, allOf, ...rest } = parameters
  if (choices.length === 0) return { ...rest, type: 'object', properties: rest.properties ?? {} }
  const members = [...choices, parameters].map((schema) => objectAt(schema, 'properties'))
  const required = [...objectsIn(allOf), parameters].flatMap((schema) => namesIn(schema.required))
  return {
    ...rest,
    type: 'object',
    properties: Object.assign({}, ...members),
    ...(required.length > 0 && { required: distinct(required) }),
  }
}

function distinct(names: readonly unknown[]): unknown[] {
  const found = new TextSet<unknown>()
  return names.filter((name) => found.size < found.add(name).size)
}

/** Whether a schema has alternatives at the top. */
function hasAlternatives(parameters: JsonObject = {}): boolean {
  return alternatives.some((keyword) => objectsIn(parameters[keyword]).length > 0)
}

function namesIn(required: unknown): unknown[] {
  return Array.isArray(required) ? required : []
}

/** The encoded tools. */
interface EncodedTools {
  /** The members of the request body. */
  readonly members: JsonObject
  /** Whether the account forces the model to call a tool. */
  readonly forced: boolean
  /** An instruction to call a tool, for a model that cannot be forced. */
  readonly instruction?: string
}

/** Encodes the tools and the tool choice. Accounts accept a choice only together with tools. */
export function encodeTools(
  request: GenerateRequest,
  facts: ModelFacts,
  drop: RecordLoss,
): EncodedTools {
  const chosen = selectTools(request, drop)
  if (chosen.length === 0) return { members: encodePastTools(request), forced: false }
  const parts = new EnforcedParts()
  const encodedTools = chosen.map((tool) => encodeTool(tool, facts, parts))
  const tools = encodedTools.map(({ json }) => json)
  noteSchemas(chosen, encodedTools, request, drop)
  const choice = encodeChoice(request.toolChoice, chosen)
  const forced = choice.type === 'any' || choice.type === 'tool'
  const isInstructed = forced && !facts.takesForcedTools
  if (isInstructed)
    drop(choiceField(request), 'the model cannot be forced to call a tool; the prompt asks for it')
  const encoded = isInstructed ? { type: 'auto' } : choice
  const isSequential = request.parallelToolCalls === false && encoded.type !== 'none'
  const hasChoice = request.toolChoice !== undefined || isSequential
  return {
    members: {
      tools,
      ...(hasChoice && {
        tool_choice: { ...encoded, ...(isSequential && { disable_parallel_tool_use: true }) },
      }),
    },
    forced: forced && !isInstructed,
    ...(isInstructed && { instruction: instructionFor(chosen) }),
  }
}

type FunctionTool = Extract<Tool, { kind: 'function' }>

/** Returns the tools that the choice allows, without duplicate names, which accounts refuse. */
function selectTools(request: GenerateRequest, drop: RecordLoss): FunctionTool[] {
  const { tools, toolChoice } = request
  const byName = new Map<string, FunctionTool>()
  for (const tool of tools) {
    const name = safeToolName(tool.name)
    if (tool.kind !== 'function') continue
    if (byName.has(name)) drop('tools', 'tool names must be unique; only the first tool is sent')
    else byName.set(name, tool)
  }
  const all = [...byName.values()]
  const only = toolChoice?.only
  if (!only || toolChoice.mode === 'none') return all
  const allowed = new TextSet(only)
  const chosen = all.filter(({ name }) => allowed.has(name))
  if (chosen.length > 0 || all.length === 0) return chosen
  throw refused('The tool choice names none of the tools.', choiceField(request))
}

function noteSchemas(
  tools: readonly FunctionTool[],
  encoded: readonly EncodedTool[],
  { fields }: GenerateRequest,
  drop: RecordLoss,
): void {
  if (tools.some(({ strict }, index) => strict && !encoded[index]?.json.strict)) {
    drop(
      fields.strict_tools ?? 'tools',
      'the API does not enforce the schema of arguments; it is sent without `strict`',
    )
  }
  if (encoded.some(({ isKept }) => !isKept)) {
    drop('tools', "the API does not enforce all of a tool's schema; the rest is described")
  }
  if (tools.some(({ parameters }) => hasAlternatives(parameters))) {
    drop(
      'tools',
      "a tool's schema cannot have alternatives; one object with all their members is sent",
    )
  }
}

interface EncodedTool {
  readonly json: JsonObject
  /** Whether accounts enforce all constraints of a schema that they enforce. */
  readonly isKept: boolean
}

function encodeTool(
  { name, description, parameters, strict }: FunctionTool,
  facts: ModelFacts,
  parts: EnforcedParts,
): EncodedTool {
  const schema = modernSchema(toolSchema(parameters))
  const isStrict = strict === true && facts.takesSchema && parts.take(schema)
  const mayEnforce = isStrict && !isRecursive(schema) && !forcesEmptiness(schema)
  const enforced = mayEnforce ? enforcedSchema(schema) : undefined
  const json = {
    name: safeToolName(name),
    ...(description && { description }),
    input_schema: enforced ?? schema,
    ...(enforced && { strict: true }),
  }
  return { json, isKept: !enforced || isFullyEnforced(schema, enforced) }
}

function encodeChoice(choice: ToolChoice | undefined, chosen: readonly FunctionTool[]) {
  switch (choice?.mode) {
    case 'none':
      return { type: 'none' }
    case 'required':
      return choice.only && chosen.length === 1
        ? { type: 'tool', name: safeToolName(chosen[0]!.name) }
        : { type: 'any' }
    default:
      return { type: 'auto' }
  }
}

function instructionFor(tools: readonly FunctionTool[]): string {
  const names = tools.map(({ name }) => `\`${safeToolName(name)}\``).join(', ')
  return tools.length === 1
    ? `Call the tool ${names} before you answer.`
    : `Call one of these tools before you answer: ${names}.`
}

/**
 * Declares the tools of earlier calls, because accounts refuse calls in the conversation without tools.
 * The choice `none` prevents the model from calling them.
 */
function encodePastTools({ turns }: GenerateRequest): JsonObject {
  const names = new Set<string>()
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue
    for (const { name } of turn.content.filter(isCall)) names.add(safeToolName(name))
  }
  if (names.size === 0) return {}
  return {
    tools: [...names].map((name) => ({ name, input_schema: toolSchema() })),
    tool_choice: { type: 'none' },
  }
}
