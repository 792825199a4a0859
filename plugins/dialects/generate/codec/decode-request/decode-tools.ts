import { wrong } from '../../../../../src/kit/checks.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { defined, isObject } from '../../../../../src/lib/json/object.ts'
import type { RequestNotes, Rule, Rules } from './notes.ts'
import { checkDepth } from '../../../../../src/kit/codec/read.ts'
import { RequestObject } from './request-object.ts'
import { toJsonSchema } from './schemas.ts'
import { TextSet } from '../../../../../src/lib/text-map.ts'

interface DecodedTools {
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
}

const hosted: Rule = ['native', 'only the Gemini API runs this tool']

const declarationRules: Rules = {
  name: false,
  description: false,
  parameters: false,
  parametersJsonSchema: false,
  response: false,
  responseJsonSchema: false,
  behavior: false,
}

const configRules: Rules = {
  functionCallingConfig: false,
  retrievalConfig: ['warn', 'it configures tools that only this provider runs'],
  includeServerSideToolInvocations: ['silent', 'it configures tools that only this provider runs'],
}

const callingRules: Rules = {
  mode: false,
  allowedFunctionNames: false,
  streamFunctionCallArguments: ['silent', 'the gateway sends complete calls'],
}

/** Reads `tools` and `toolConfig`. */
export function readTools(request: RequestObject, notes: RequestNotes): DecodedTools {
  const tools = toolObjects(request).flatMap((tool) => readTool(tool, notes))
  const toolChoice = readChoice(request.object('toolConfig'), tools, notes)
  return { tools, ...(toolChoice && { toolChoice }) }
}

/** Returns the tools. Protobuf accepts a single tool as a list of one. */
function toolObjects(request: RequestObject): RequestObject[] {
  const value = request.value('tools')
  return isObject(value)
    ? [new RequestObject(value, request.pathOf('tools'))]
    : request.objects('tools')
}

function readTool(tool: RequestObject, notes: RequestNotes): Tool[] {
  for (const name of tool.names()) {
    if (name !== 'functionDeclarations') notes.noteLoss(tool.pathOf(name), hosted)
  }
  return tool.objects('functionDeclarations').map((object) => readDeclaration(object, notes))
}

function readDeclaration(object: RequestObject, notes: RequestNotes): Tool {
  const name = object.text('name')
  if (name === undefined || name === '') throw wrong(object.pathOf('name'), 'a non-empty string')
  notes.noteOthers(object, declarationRules)
  noteBehavior(object, notes)
  const parameters = readSchema(object, 'parameters')
  const outputSchema = readSchema(object, 'response')
  if (outputSchema) {
    const field = object.has('responseJsonSchema') ? 'responseJsonSchema' : 'response'
    notes.uses('tool_output_schema', object.pathOf(field))
  }
  return {
    kind: 'function',
    name,
    ...defined({ description: object.text('description'), parameters, outputSchema }),
  }
}

/** Reads a schema: JSON Schema in the field with `JsonSchema` in its name, else Google's variant. */
function readSchema(object: RequestObject, name: string): RequestObject['json'] | undefined {
  const [own, standard] = [name, `${name}JsonSchema`].map((field) => {
    checkDepth(object.value(field), object.pathOf(field))
    return object.object(field)
  })
  return standard?.json ?? (own && toJsonSchema({ ...own.json }, own.path))
}

/** Notes a loss for `NON_BLOCKING`. By default the model waits for the tool, as in other dialects. */
function noteBehavior(object: RequestObject, notes: RequestNotes): void {
  if (object.text('behavior')?.toUpperCase() !== 'NON_BLOCKING') return
  notes.noteLoss(object.pathOf('behavior'), [
    'warn',
    'in other dialects the model always waits for tools',
  ])
}

const modes = new Map<string, ToolChoice['mode']>([
  ['AUTO', 'auto'],
  ['VALIDATED', 'auto'],
  ['ANY', 'required'],
  ['NONE', 'none'],
])

function readChoice(
  config: RequestObject | undefined,
  tools: readonly Tool[],
  notes: RequestNotes,
): ToolChoice | undefined {
  if (config) notes.noteOthers(config, configRules)
  const calling = config?.object('functionCallingConfig')
  if (!calling) return undefined
  notes.noteOthers(calling, callingRules)
  const word = calling.text('mode')?.toUpperCase()
  if (word === undefined || word === 'MODE_UNSPECIFIED') return undefined
  const mode = modes.get(word)
  if (!mode) throw wrong(calling.pathOf('mode'), `one of ${[...modes.keys()].join(', ')}`)
  notes.sets('tool_choice', calling.pathOf('mode'))
  const only = word === 'ANY' || word === 'VALIDATED' ? allowedNames(calling, tools) : []
  if (only.length === 0) return { mode }
  const isForced = mode === 'required' && only.length === 1
  if (!isForced) notes.uses('tool_subset', calling.pathOf('allowedFunctionNames'))
  return { mode, only }
}

function allowedNames(calling: RequestObject, tools: readonly Tool[]): string[] {
  const names = calling.texts('allowedFunctionNames')
  const declared = new TextSet(tools.map(({ name }) => name))
  if (names.every((name) => declared.has(name))) return names
  throw wrong(calling.pathOf('allowedFunctionNames'), 'names of declared functions')
}
