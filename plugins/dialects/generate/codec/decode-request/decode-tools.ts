import { wrong } from '../../../../../src/kit/checks.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { defined, isObject } from '../../../../../src/lib/json/object.ts'
import type { PlaceNotes, Rule, Rules } from './notes.ts'
import { checkDepth } from '../../../../../src/kit/codec/read.ts'
import { FieldPlace } from './field-place.ts'
import { toJsonSchema } from './schemas.ts'

interface AskedTools {
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
}

const hosted: Rule = ['native', 'only the Gemini API runs this tool']

const declarationRules: Rules = {
  name: false,
  description: false,
  parameters: false,
  parametersJsonSchema: false,
  response: ['silent', 'what a tool answers is not described elsewhere'],
  responseJsonSchema: ['silent', 'what a tool answers is not described elsewhere'],
  behavior: false,
}

const configRules: Rules = {
  functionCallingConfig: false,
  retrievalConfig: ['warn', 'it is about tools that only this provider runs'],
  includeServerSideToolInvocations: ['silent', 'it is about tools that only this provider runs'],
}

const callingRules: Rules = {
  mode: false,
  allowedFunctionNames: false,
  streamFunctionCallArguments: ['silent', 'calls come whole'],
}

/** `tools` and `toolConfig`. */
export function readTools(request: FieldPlace, notes: PlaceNotes): AskedTools {
  const tools = toolPlaces(request).flatMap((tool) => readTool(tool, notes))
  const toolChoice = readChoice(request.object('toolConfig'), tools, notes)
  return { tools, ...(toolChoice && { toolChoice }) }
}

/** Protobuf takes a single tool for a list of one. */
function toolPlaces(request: FieldPlace): FieldPlace[] {
  const value = request.value('tools')
  return isObject(value)
    ? [new FieldPlace(value, request.nameOf('tools'))]
    : request.objects('tools')
}

function readTool(tool: FieldPlace, notes: PlaceNotes): Tool[] {
  for (const name of tool.names()) {
    if (name !== 'functionDeclarations') notes.lost(tool.nameOf(name), hosted)
  }
  return tool.objects('functionDeclarations').map((place) => readDeclaration(place, notes))
}

function readDeclaration(place: FieldPlace, notes: PlaceNotes): Tool {
  const name = place.text('name')
  if (name === undefined || name === '') throw wrong(place.nameOf('name'), 'a non-empty string')
  notes.others(place, declarationRules)
  noteBehavior(place, notes)
  for (const field of ['parameters', 'parametersJsonSchema']) {
    checkDepth(place.value(field), place.nameOf(field))
  }
  const schema = place.object('parameters')
  const parameters = place.object('parametersJsonSchema')?.json ?? (schema && lowered(schema))
  return {
    kind: 'function',
    name,
    ...defined({ description: place.text('description'), parameters }),
  }
}

/** To wait for a tool is what every model does unless it is told otherwise. */
function noteBehavior(place: FieldPlace, notes: PlaceNotes): void {
  if (place.text('behavior')?.toUpperCase() !== 'NON_BLOCKING') return
  notes.lost(place.nameOf('behavior'), ['warn', 'the model always waits for tools elsewhere'])
}

function lowered({ json }: FieldPlace): Record<string, unknown> {
  return toJsonSchema({ ...json })
}

const modes = new Map<string, ToolChoice['mode']>([
  ['AUTO', 'auto'],
  ['VALIDATED', 'auto'],
  ['ANY', 'required'],
  ['NONE', 'none'],
])

function readChoice(
  config: FieldPlace | undefined,
  tools: readonly Tool[],
  notes: PlaceNotes,
): ToolChoice | undefined {
  if (config) notes.others(config, configRules)
  const calling = config?.object('functionCallingConfig')
  if (!calling) return undefined
  notes.others(calling, callingRules)
  const word = calling.text('mode')?.toUpperCase()
  if (word === undefined || word === 'MODE_UNSPECIFIED') return undefined
  const mode = modes.get(word)
  if (!mode) throw wrong(calling.nameOf('mode'), `one of ${[...modes.keys()].join(', ')}`)
  notes.sets('tool_choice', calling.nameOf('mode'))
  const only = word === 'ANY' || word === 'VALIDATED' ? allowed(calling, tools) : []
  if (only.length === 0) return { mode }
  const isForced = mode === 'required' && only.length === 1
  if (!isForced) notes.uses('tool_subset', calling.nameOf('allowedFunctionNames'))
  return { mode, only }
}

function allowed(calling: FieldPlace, tools: readonly Tool[]): string[] {
  const names = calling.texts('allowedFunctionNames')
  const isDeclared = names.every((name) => tools.some((tool) => tool.name === name))
  if (isDeclared) return names
  throw wrong(calling.nameOf('allowedFunctionNames'), 'names of declared functions')
}
