import { checkWord, isPresent, requireString, wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { stringAt } from '../../../../../src/lib/json/read.ts'
import {
  booleanMember,
  checkDepth,
  objectMember,
  textMember,
} from '../../../../../src/kit/codec/read.ts'
import { noteMembers, noteNamespace } from './members.ts'
import { flatName, toolListsOf } from '../namespaces.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import { TextSet } from '../../../../../src/lib/text-map.ts'

type ToolFields = Pick<GenerateRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'>

/** Reads the tools of a request and the tool choice. */
export function readTools(body: JsonObject, notes: Notes): ToolFields {
  const lists = toolListsOf(body).map(({ path, tools }) => readToolList(tools, path, notes))
  const tools = mergeTools(lists)
  const toolChoice = readChoice(body, notes)
  const parallel = body.parallel_tool_calls
  if (parallel === false) notes.uses('parallel_tool_calls', 'parallel_tool_calls')
  return {
    tools,
    ...(toolChoice && { toolChoice }),
    ...(typeof parallel === 'boolean' && { parallelToolCalls: parallel }),
  }
}

/** A later tool replaces an earlier one of the same name. */
function mergeTools(lists: readonly Tool[][]): Tool[] {
  const later = new TextSet()
  const kept = lists.toReversed().map((list) => {
    const own = list.filter(({ name }) => !later.has(name))
    for (const { name } of list) later.add(name)
    return own
  })
  return kept.toReversed().flat()
}

function readToolList(list: unknown, path: string, notes: Notes, namespace?: string): Tool[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((tool: unknown, index) =>
    readTool(tool, `${path}[${index}]`, notes, namespace),
  )
}

function readTool(tool: unknown, path: string, notes: Notes, namespace?: string): Tool[] {
  const type = stringAt(tool, 'type')
  if (type === undefined) throw wrong(path, 'an object with a `type`')
  const json = tool as JsonObject
  switch (type) {
    case 'function':
      return [readFunction(json, path, notes, namespace)]
    case 'custom':
      return [readCustom(json, path, notes, namespace)]
    case 'namespace':
      noteNamespace(json, path, notes)
      return readToolList(json.tools, `${path}.tools`, notes, toolNameOf(json, path))
    default:
      notes.native(path, `only the Responses API has the tool ${type}`)
      return []
  }
}

function readFunction(json: JsonObject, path: string, notes: Notes, namespace?: string): Tool {
  const description = textMember(json, 'description', path)
  const parameters = objectMember(json, 'parameters', path)
  const outputSchema = objectMember(json, 'output_schema', path)
  const strict = booleanMember(json, 'strict', path)
  checkDepth(parameters, `${path}.parameters`)
  checkDepth(outputSchema, `${path}.output_schema`)
  if (strict === true) notes.uses('strict_tools', `${path}.strict`)
  if (outputSchema) notes.uses('tool_output_schema', `${path}.output_schema`)
  noteMembers('function', json, path, notes)
  noteToolExtras(json, path, notes)
  return {
    kind: 'function',
    name: flatName(toolNameOf(json, path), namespace),
    ...(description !== undefined && { description }),
    ...(parameters && { parameters }),
    ...(strict !== undefined && { strict }),
    ...(outputSchema && { outputSchema }),
  }
}

function readCustom(json: JsonObject, path: string, notes: Notes, namespace?: string): Tool {
  const description = textMember(json, 'description', path)
  const format = objectMember(json, 'format', path)
  const syntax = textMember(format, 'syntax', `${path}.format`)
  const definition = textMember(format, 'definition', `${path}.format`)
  const hasGrammar = format?.type === 'grammar' && syntax !== undefined && definition !== undefined
  notes.uses('custom_tools', path)
  noteMembers('custom', json, path, notes)
  if (format) noteMembers('inputFormat', format, `${path}.format`, notes)
  noteToolExtras(json, path, notes)
  return {
    kind: 'custom',
    name: flatName(toolNameOf(json, path), namespace),
    ...(description !== undefined && { description }),
    ...(hasGrammar && { grammar: { syntax, definition } }),
  }
}

const toolExtras = [
  ['defer_loading', 'silent'],
  ['async', 'warn'],
] as const

function noteToolExtras(json: JsonObject, path: string, notes: Notes): void {
  for (const [field, treatment] of toolExtras) {
    if (isPresent(json, field) && json[field] !== false) {
      notes.extra(`${path}.${field}`, treatment, 'other APIs do not support it for tools')
    }
  }
  const { allowed_callers: callers } = json
  if (Array.isArray(callers) && !callers.includes('direct')) {
    notes.extra(`${path}.allowed_callers`, 'warn', 'in other APIs the model calls tools itself')
  }
}

function readChoice(body: JsonObject, notes: Notes): ToolChoice | undefined {
  const { tool_choice: choice } = body
  if (!isPresent(body, 'tool_choice')) return undefined
  notes.sets('tool_choice', 'tool_choice')
  if (choice === 'auto' || choice === 'required' || choice === 'none') return { mode: choice }
  const type = stringAt(choice, 'type')
  if (type === undefined) throw wrong('tool_choice', '`auto`, `required`, `none` or an object')
  const json = choice as JsonObject
  if (type === 'function' || type === 'custom') {
    return { mode: 'required', only: [chosenToolName(json, 'tool_choice')] }
  }
  if (type === 'allowed_tools') return readAllowed(json, notes)
  notes.native('tool_choice', `only the Responses API has the tool ${type}`)
  return undefined
}

function readAllowed(choice: JsonObject, notes: Notes): ToolChoice {
  const { tools } = choice
  if (!Array.isArray(tools)) throw wrong('tool_choice.tools', 'an array')
  const only: string[] = []
  for (const [index, tool] of tools.entries()) {
    const path = `tool_choice.tools[${index}]`
    const type = stringAt(tool, 'type')
    if (type === 'function' || type === 'custom') only.push(chosenToolName(tool, path))
    else notes.native(path, `only the Responses API has the tool ${type}`)
  }
  checkWord(choice, 'mode', ['auto', 'required'], 'tool_choice')
  const mode = choice.mode === 'required' ? 'required' : 'auto'
  if (mode === 'auto' || only.length !== 1) notes.uses('tool_subset', 'tool_choice')
  return { mode, only }
}

function chosenToolName(choice: JsonObject, path: string): string {
  return flatName(toolNameOf(choice, path), textMember(choice, 'namespace', path))
}

/** Returns the name of a tool. Throws `invalid_value` if it is missing or empty. */
export function toolNameOf(object: JsonObject, path: string): string {
  try {
    return requireString(object, 'name')
  } catch {
    throw wrong(`${path}.name`, 'a non-empty string')
  }
}
