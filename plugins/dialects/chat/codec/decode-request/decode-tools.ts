import { checkWord, wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { objectAt } from '../../../../../src/lib/json/read.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import {
  booleanMember,
  checkDepth,
  isGiven,
  objectMember,
  readList,
  readName,
  readObject,
  textMember,
} from '../../../../../src/kit/codec/read.ts'
import { readCacheMark } from './decode-parts.ts'
import { noteMembers } from './members.ts'

/** Reads `tools` and the deprecated `functions`. */
export function readTools({ tools, functions }: JsonObject, notes: Notes): Tool[] {
  const current = isGiven(tools) ? readList(tools, 'tools') : []
  const legacy = isGiven(functions) ? readList(functions, 'functions') : []
  return [
    ...current.flatMap((item, index) => {
      const path = `tools[${index}]`
      return readTool(readObject(item, path), path, notes)
    }),
    ...legacy.map((item, index) => {
      const path = `functions[${index}]`
      return functionTool(readObject(item, path), path, notes)
    }),
  ]
}

function readTool(tool: JsonObject, path: string, notes: Notes): Tool[] {
  if (tool.type === 'custom') {
    noteMembers('offer', tool, path, notes)
    notes.uses('custom_tools', path)
    return [customTool(readObject(tool.custom, `${path}.custom`), `${path}.custom`, notes)]
  }
  if (tool.type === 'function' || (!isGiven(tool.type) && isGiven(tool.function))) {
    noteMembers('offer', tool, path, notes)
    const own = functionTool(
      readObject(tool.function, `${path}.function`),
      `${path}.function`,
      notes,
    )
    return [{ ...own, ...readCacheMark(tool, path, notes) }]
  }
  const type = readName(tool.type, `${path}.type`)
  notes.extra(path, 'native', `tools of the type ${JSON.stringify(type)} run at the provider`)
  return []
}

function functionTool(tool: JsonObject, path: string, notes: Notes): Tool {
  noteMembers('functionTool', tool, path, notes)
  const description = textMember(tool, 'description', path)
  const parameters = isGiven(tool.parameters)
    ? readObject(tool.parameters, `${path}.parameters`)
    : undefined
  checkDepth(parameters, `${path}.parameters`)
  const strict = booleanMember(tool, 'strict', path)
  if (strict) notes.uses('strict_tools', `${path}.strict`)
  return {
    kind: 'function',
    name: readName(tool.name, `${path}.name`),
    ...(description !== undefined && { description }),
    ...(parameters && { parameters }),
    ...(strict !== undefined && { strict }),
  }
}

function customTool(tool: JsonObject, path: string, notes: Notes): Tool {
  const description = textMember(tool, 'description', path)
  const format = objectMember(tool, 'format', path)
  const grammar = objectMember(format, 'grammar', `${path}.format`)
  noteMembers('customTool', tool, path, notes)
  if (format) noteMembers('inputFormat', format, `${path}.format`, notes)
  if (grammar) noteMembers('grammar', grammar, `${path}.format.grammar`, notes)
  return {
    kind: 'custom',
    name: readName(tool.name, `${path}.name`),
    ...(description !== undefined && { description }),
    ...(grammar && {
      grammar: {
        syntax: readName(grammar.syntax, `${path}.format.grammar.syntax`),
        definition: readName(grammar.definition, `${path}.format.grammar.definition`),
      },
    }),
  }
}

/** Reads `tool_choice`, or the deprecated `function_call`. */
export function readToolChoice(body: JsonObject, notes: Notes): ToolChoice | undefined {
  const { tool_choice: choice, function_call: legacy } = body
  const field = isGiven(choice) ? 'tool_choice' : 'function_call'
  if (isGiven(choice) || isGiven(legacy)) notes.sets('tool_choice', field)
  if (typeof choice === 'string') return { mode: modeOf(choice, 'tool_choice') }
  if (isGiven(choice)) return objectChoice(readObject(choice, 'tool_choice'), notes)
  if (typeof legacy === 'string') return { mode: modeOf(legacy, 'function_call') }
  if (!isGiven(legacy)) return undefined
  const { name } = readObject(legacy, 'function_call')
  return { mode: 'required', only: [readName(name, 'function_call.name')] }
}

function modeOf(word: string, path: string): ToolChoice['mode'] {
  if (word === 'auto' || word === 'none' || word === 'required') return word
  throw wrong(path, 'one of auto, none, required, or an object')
}

function objectChoice(choice: JsonObject, notes: Notes): ToolChoice | undefined {
  switch (choice.type) {
    case 'function':
    case 'custom': {
      const path = `tool_choice.${choice.type}`
      const { name } = readObject(choice[choice.type], path)
      return { mode: 'required', only: [readName(name, `${path}.name`)] }
    }
    case 'allowed_tools':
      return allowedTools(readObject(choice.allowed_tools, 'tool_choice.allowed_tools'), notes)
    default:
      notes.extra('tool_choice', 'native', 'only the Chat Completions API supports this choice')
      return undefined
  }
}

function allowedTools(choice: JsonObject, notes: Notes): ToolChoice {
  const { mode, tools } = choice
  const path = 'tool_choice.allowed_tools'
  checkWord(choice, 'mode', ['auto', 'required'], path)
  notes.uses('tool_subset', path)
  const only = readList(tools, `${path}.tools`).map((item, index) => {
    const tool = readObject(item, `${path}.tools[${index}]`)
    const named = objectAt(tool, 'function') ?? objectAt(tool, 'custom') ?? tool
    return readName(named.name, `${path}.tools[${index}].name`)
  })
  return { mode: mode === 'required' ? 'required' : 'auto', only }
}
