import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { choiceField } from '../../../../../src/generate/fields.ts'
import { isCall } from '../../../../../src/generate/match-results.ts'
import { safeToolName } from '../../../../../src/generate/names.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { refused } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectsIn, objectAt } from '../../../../../src/lib/json/read.ts'
import { enforcedSchema } from './enforced-schema.ts'
import type { ModelFacts } from './models.ts'
import { isRecursive } from './recursive-schema.ts'

const alternatives = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * What a tool takes, as accounts want it said: an object, without alternatives at the top. A schema
 * that has some is told with the members of all of them.
 */
export function toolSchema(parameters: JsonObject = {}): JsonObject {
  const found = alternatives.flatMap((keyword) => objectsIn(parameters[keyword]))
  const { anyOf: _, oneOf: _o, allOf, ...rest } = parameters
  if (found.length === 0) return { ...rest, type: 'object', properties: rest.properties ?? {} }
  const members = [...found, parameters].map((schema) => objectAt(schema, 'properties'))
  const required = [...objectsIn(allOf), parameters].flatMap((schema) => namesIn(schema.required))
  return {
    ...rest,
    type: 'object',
    properties: Object.assign({}, ...members),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

/** Whether a schema leaves a choice at its top. */
export function hasAlternatives(parameters: JsonObject = {}): boolean {
  return alternatives.some((keyword) => objectsIn(parameters[keyword]).length > 0)
}

function namesIn(required: unknown): unknown[] {
  return Array.isArray(required) ? required : []
}

export interface EncodedTools {
  readonly members: JsonObject
  /** Whether the model has to call one. */
  readonly forced: boolean
  /** What the model is told where it cannot be forced to call a tool. */
  readonly demand?: string
}

/** The tools, and which of them are to be called. Accounts take a choice only beside tools. */
export function encodeTools(
  request: GenerateRequest,
  facts: ModelFacts,
  drop: RecordLoss,
): EncodedTools {
  const chosen = chosenTools(request, drop)
  if (chosen.length === 0) return { members: forgottenTools(request), forced: false }
  const tools = chosen.map((tool) => encodeTool(tool, facts))
  noteSchemas(chosen, tools, request, drop)
  const choice = encodeChoice(request.toolChoice, chosen)
  const forced = choice.type === 'any' || choice.type === 'tool'
  const demanded = forced && !facts.takesForcedTools
  if (demanded)
    drop(choiceField(request), 'the model cannot be made to call a tool; it is asked in words')
  const said = demanded ? { type: 'auto' } : choice
  const oneByOne = request.parallelToolCalls === false && said.type !== 'none'
  const isSaid = request.toolChoice !== undefined || oneByOne
  return {
    members: {
      tools,
      ...(isSaid && {
        tool_choice: { ...said, ...(oneByOne && { disable_parallel_tool_use: true }) },
      }),
    },
    forced: forced && !demanded,
    ...(demanded && { demand: demandOf(chosen) }),
  }
}

type FunctionTool = Extract<Tool, { kind: 'function' }>

/** Those that may be called; accounts refuse two of one name. */
function chosenTools(request: GenerateRequest, drop: RecordLoss): FunctionTool[] {
  const { tools, toolChoice } = request
  const byName = new Map<string, FunctionTool>()
  for (const tool of tools) {
    const name = safeToolName(tool.name)
    if (tool.kind !== 'function') continue
    if (byName.has(name)) drop('tools', 'there can be one tool of a name; the first is offered')
    else byName.set(name, tool)
  }
  const all = [...byName.values()]
  const only = toolChoice?.only
  if (!only || toolChoice.mode === 'none') return all
  const chosen = all.filter(({ name }) => only.includes(name))
  if (chosen.length > 0 || all.length === 0) return chosen
  throw refused('The tool that is to be called is none of the tools.', choiceField(request))
}

function noteSchemas(
  tools: readonly FunctionTool[],
  encoded: readonly JsonObject[],
  { fields }: GenerateRequest,
  drop: RecordLoss,
): void {
  if (tools.some(({ strict }, index) => strict && !encoded[index]?.strict)) {
    drop(fields.strict_tools ?? 'tools', 'nothing enforces the schema of arguments; it is told')
  }
  if (tools.some(({ parameters }) => hasAlternatives(parameters))) {
    drop(
      'tools',
      'no schema of a tool may be one of alternatives; one object with the members of all is told',
    )
  }
}

function encodeTool({ name, description, parameters, strict }: FunctionTool, facts: ModelFacts) {
  const schema = toolSchema(parameters)
  const enforced = strict === true && facts.takesSchema && !isRecursive(schema)
  return {
    name: safeToolName(name),
    ...(description && { description }),
    input_schema: enforced ? enforcedSchema(schema) : schema,
    ...(enforced && { strict: true }),
  }
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

function demandOf(tools: readonly FunctionTool[]): string {
  const names = tools.map(({ name }) => `\`${safeToolName(name)}\``).join(', ')
  return tools.length === 1
    ? `Call the tool ${names} before you answer.`
    : `Call one of these tools before you answer: ${names}.`
}

/** Accounts refuse calls in the conversation unless tools are told: none of these can be called. */
function forgottenTools({ turns }: GenerateRequest): JsonObject {
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
