import { isPresent, requireString, wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { checkDepth } from '../../../../../src/kit/codec/read.ts'
import { noteMembers, noteNamespace } from './members.ts'
import { flatName, toolListsOf } from '../namespaces.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'

type ToolFields = Pick<GenerateRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'>

/** The tools of a request and how they may be used. */
export function readTools(body: JsonObject, notes: Notes): ToolFields {
  const lists = toolListsOf(body).map(({ path, tools }) => readToolList(tools, path, notes))
  const tools = lists.reduce(withAdded, [])
  const toolChoice = readChoice(body, notes)
  const parallel = body.parallel_tool_calls
  if (parallel === false) notes.uses('parallel_tool_calls', 'parallel_tool_calls')
  return {
    tools,
    ...(toolChoice && { toolChoice }),
    ...(typeof parallel === 'boolean' && { parallelToolCalls: parallel }),
  }
}

/** What is added under a name that is known takes its place. */
function withAdded(known: Tool[], added: Tool[]): Tool[] {
  const names = new Set(added.map(({ name }) => name))
  return [...known.filter(({ name }) => !names.has(name)), ...added]
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
  const said = tool as JsonObject
  switch (type) {
    case 'function':
      return [readFunction(said, path, notes, namespace)]
    case 'custom':
      return [readCustom(said, path, notes, namespace)]
    case 'namespace':
      noteNamespace(said, path, notes)
      return readToolList(said.tools, `${path}.tools`, notes, toolNameOf(said, path))
    default:
      notes.native(path, `only the Responses API has the tool ${type}`)
      return []
  }
}

function readFunction(said: JsonObject, path: string, notes: Notes, namespace?: string): Tool {
  const description = stringAt(said, 'description')
  const parameters = objectAt(said, 'parameters')
  const { strict } = said
  checkDepth(parameters, `${path}.parameters`)
  if (strict === true) notes.uses('strict_tools', `${path}.strict`)
  noteMembers('function', said, path, notes)
  noteToolExtras(said, path, notes)
  return {
    kind: 'function',
    name: flatName(toolNameOf(said, path), namespace),
    ...(description !== undefined && { description }),
    ...(parameters && { parameters }),
    ...(typeof strict === 'boolean' && { strict }),
  }
}

function readCustom(said: JsonObject, path: string, notes: Notes, namespace?: string): Tool {
  const description = stringAt(said, 'description')
  const format = objectAt(said, 'format')
  const syntax = stringAt(format, 'syntax')
  const definition = stringAt(format, 'definition')
  const hasGrammar = format?.type === 'grammar' && syntax !== undefined && definition !== undefined
  notes.uses('custom_tools', path)
  noteMembers('custom', said, path, notes)
  if (format) noteMembers('inputFormat', format, `${path}.format`, notes)
  noteToolExtras(said, path, notes)
  return {
    kind: 'custom',
    name: flatName(toolNameOf(said, path), namespace),
    ...(description !== undefined && { description }),
    ...(hasGrammar && { grammar: { syntax, definition } }),
  }
}

const toolExtras = [
  ['defer_loading', 'silent'],
  ['allowed_callers', 'silent'],
  ['async', 'warn'],
  ['output_schema', 'warn'],
] as const

function noteToolExtras(said: JsonObject, path: string, notes: Notes): void {
  for (const [field, treatment] of toolExtras) {
    if (isPresent(said, field) && said[field] !== false) {
      notes.extra(`${path}.${field}`, treatment, 'tools of other APIs do not have it')
    }
  }
}

function readChoice(body: JsonObject, notes: Notes): ToolChoice | undefined {
  const { tool_choice: choice } = body
  if (!isPresent(body, 'tool_choice')) return undefined
  notes.sets('tool_choice', 'tool_choice')
  if (choice === 'auto' || choice === 'required' || choice === 'none') return { mode: choice }
  const type = stringAt(choice, 'type')
  if (type === undefined) throw wrong('tool_choice', '`auto`, `required`, `none` or an object')
  const said = choice as JsonObject
  if (type === 'function' || type === 'custom') {
    return { mode: 'required', only: [chosenName(said, 'tool_choice')] }
  }
  if (type === 'allowed_tools') return readAllowed(said, notes)
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
    if (type === 'function' || type === 'custom') only.push(chosenName(tool, path))
    else notes.native(path, `only the Responses API has the tool ${type}`)
  }
  const mode = choice.mode === 'required' ? 'required' : 'auto'
  if (mode === 'auto' || only.length !== 1) notes.uses('tool_subset', 'tool_choice')
  return { mode, only }
}

function chosenName(choice: JsonObject, path: string): string {
  return flatName(toolNameOf(choice, path), stringAt(choice, 'namespace'))
}

/** The name of a tool, which nothing goes without. */
export function toolNameOf(object: JsonObject, path: string): string {
  try {
    return requireString(object, 'name')
  } catch {
    throw wrong(`${path}.name`, 'a non-empty string')
  }
}
