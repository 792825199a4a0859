import type { RecordLoss } from '../../../../src/contract/codec.ts'
import type { CacheMark } from '../../../../src/generate/content.ts'
import { choiceField } from '../../../../src/generate/fields.ts'
import { isCall } from '../../../../src/generate/match-results.ts'
import { safeToolName } from '../../../../src/generate/names.ts'
import type { GenerateRequest } from '../../../../src/generate/request.ts'
import type { Tool, ToolChoice } from '../../../../src/generate/tools.ts'
import { refused } from '../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, objectAt } from '../../../../src/lib/json/read.ts'
import { isFullyEnforced } from './encode-output.ts'
import { EnforcedParts, enforcedSchema, forcesEmptiness } from './enforced-schema.ts'
import type { ModelFacts } from './models.ts'
import { modernSchema } from './modern-schema.ts'
import { isRecursive } from './recursive-schema.ts'
import { TextSet } from '../../../../src/lib/text-map.ts'

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

/** A tool as accounts accept it. */
export interface ReadyTool {
  readonly name: string
  readonly description?: string
  /** An object without alternatives at the top. */
  readonly schema: JsonObject
  /** Accounts enforce the schema. */
  readonly strict?: true
  readonly cache?: CacheMark
}

/** The tools of a request, and which of them the model may or must call. */
export interface ChosenTools {
  /** Without duplicate names, which accounts refuse. Empty: the request has none. */
  readonly tools: readonly ReadyTool[]
  /** `tool`: the model must call the only one of `tools`. */
  readonly choice: 'auto' | 'none' | 'any' | 'tool'
  /** An instruction to call a tool, for a model that cannot be forced. */
  readonly instruction?: string
}

/** Chooses the tools that the choice allows, and writes their schemas in the form that accounts accept. */
export function chooseTools(
  request: GenerateRequest,
  facts: ModelFacts,
  drop: RecordLoss,
): ChosenTools {
  const chosen = selectTools(request, drop)
  if (chosen.length === 0) return { tools: [], choice: 'auto' }
  const parts = new EnforcedParts()
  const encoded = chosen.map((tool) => encodeTool(tool, facts, parts))
  const tools = encoded.map(({ tool }) => tool)
  noteSchemas(chosen, encoded, request, drop)
  const choice = readChoice(request.toolChoice, chosen)
  if (!isForced(choice) || facts.takesForcedTools) return { tools, choice }
  drop(choiceField(request), 'the model cannot be forced to call a tool; the prompt asks for it')
  return { tools, choice: 'auto', instruction: instructionFor(chosen) }
}

/** Whether the model has to call a tool. */
export function isForced(choice: ChosenTools['choice']): boolean {
  return choice === 'any' || choice === 'tool'
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
  if (tools.some(({ strict }, index) => strict && !encoded[index]?.tool.strict)) {
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
  readonly tool: ReadyTool
  /** Whether accounts enforce all constraints of a schema that they enforce. */
  readonly isKept: boolean
}

function encodeTool(
  { name, description, parameters, strict, cache }: FunctionTool,
  facts: ModelFacts,
  parts: EnforcedParts,
): EncodedTool {
  const schema = modernSchema(toolSchema(parameters))
  const isStrict = strict === true && facts.takesSchema && parts.take(schema)
  const mayEnforce = isStrict && !isRecursive(schema) && !forcesEmptiness(schema)
  const enforced = mayEnforce ? enforcedSchema(schema) : undefined
  const tool = {
    name: safeToolName(name),
    ...(description && { description }),
    schema: enforced ?? schema,
    ...(enforced && { strict: true as const }),
    ...(cache && { cache }),
  }
  return { tool, isKept: !enforced || isFullyEnforced(schema, enforced) }
}

function readChoice(
  choice: ToolChoice | undefined,
  chosen: readonly FunctionTool[],
): ChosenTools['choice'] {
  if (choice?.mode !== 'required') return choice?.mode ?? 'auto'
  return choice.only && chosen.length === 1 ? 'tool' : 'any'
}

function instructionFor(tools: readonly FunctionTool[]): string {
  const names = tools.map(({ name }) => `\`${safeToolName(name)}\``).join(', ')
  return tools.length === 1
    ? `Call the tool ${names} before you answer.`
    : `Call one of these tools before you answer: ${names}.`
}

/** The tools of earlier calls: accounts refuse calls in the conversation without tools. */
export function pastTools({ turns }: GenerateRequest): ReadyTool[] {
  const names = new Set<string>()
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue
    for (const { name } of turn.content.filter(isCall)) names.add(safeToolName(name))
  }
  return [...names].map((name) => ({ name, schema: toolSchema() }))
}
