import { wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { objectsIn, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import {
  checkDepth,
  isGiven,
  readList,
  readName,
  readObject,
} from '../../../../../src/kit/codec/read.ts'
import { noteMembers } from './members.ts'

/** `tools`, or `functions` as they were called before. */
export function readTools({ tools, functions }: JsonObject, found: Notes): Tool[] {
  const current = isGiven(tools) ? readList(tools, 'tools') : []
  const legacy = isGiven(functions) ? readList(functions, 'functions') : []
  return [
    ...current.flatMap((item, index) => {
      const path = `tools[${index}]`
      return readTool(readObject(item, path), path, found)
    }),
    ...legacy.map((item, index) => {
      const path = `functions[${index}]`
      return functionTool(readObject(item, path), path, found)
    }),
  ]
}

function readTool(tool: JsonObject, path: string, found: Notes): Tool[] {
  if (tool.type === 'custom') {
    noteMembers('offer', tool, path, found)
    found.uses('custom_tools', path)
    return [customTool(readObject(tool.custom, `${path}.custom`), `${path}.custom`, found)]
  }
  if (tool.type === 'function' || (!isGiven(tool.type) && isGiven(tool.function))) {
    noteMembers('offer', tool, path, found)
    return [functionTool(readObject(tool.function, `${path}.function`), `${path}.function`, found)]
  }
  const type = readName(tool.type, `${path}.type`)
  found.extra(path, 'native', `tools of the type ${JSON.stringify(type)} run at the provider`)
  return []
}

function functionTool(tool: JsonObject, path: string, found: Notes): Tool {
  noteMembers('functionTool', tool, path, found)
  const description = stringAt(tool, 'description')
  const parameters = isGiven(tool.parameters)
    ? readObject(tool.parameters, `${path}.parameters`)
    : undefined
  checkDepth(parameters, `${path}.parameters`)
  if (tool.strict === true) found.uses('strict_tools', `${path}.strict`)
  return {
    kind: 'function',
    name: readName(tool.name, `${path}.name`),
    ...(description !== undefined && { description }),
    ...(parameters && { parameters }),
    ...(typeof tool.strict === 'boolean' && { strict: tool.strict }),
  }
}

function customTool(tool: JsonObject, path: string, found: Notes): Tool {
  const description = stringAt(tool, 'description')
  const format = objectAt(tool, 'format')
  const grammar = objectAt(format, 'grammar')
  noteMembers('customTool', tool, path, found)
  if (format) noteMembers('inputFormat', format, `${path}.format`, found)
  if (grammar) noteMembers('grammar', grammar, `${path}.format.grammar`, found)
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

/** `tool_choice`, or `function_call` as it was called before. */
export function readToolChoice(body: JsonObject, found: Notes): ToolChoice | undefined {
  const { tool_choice: choice, function_call: legacy } = body
  const field = isGiven(choice) ? 'tool_choice' : 'function_call'
  if (isGiven(choice) || isGiven(legacy)) found.sets('tool_choice', field)
  if (typeof choice === 'string') return { mode: modeOf(choice, 'tool_choice') }
  if (isGiven(choice)) return objectChoice(readObject(choice, 'tool_choice'), found)
  if (typeof legacy === 'string') return { mode: modeOf(legacy, 'function_call') }
  if (!isGiven(legacy)) return undefined
  const { name } = readObject(legacy, 'function_call')
  return { mode: 'required', only: [readName(name, 'function_call.name')] }
}

function modeOf(word: string, path: string): ToolChoice['mode'] {
  if (word === 'auto' || word === 'none' || word === 'required') return word
  throw wrong(path, 'one of auto, none, required, or an object')
}

function objectChoice(choice: JsonObject, found: Notes): ToolChoice | undefined {
  switch (choice.type) {
    case 'function':
    case 'custom': {
      const path = `tool_choice.${choice.type}`
      const { name } = readObject(choice[choice.type], path)
      return { mode: 'required', only: [readName(name, `${path}.name`)] }
    }
    case 'allowed_tools':
      return allowedTools(readObject(choice.allowed_tools, 'tool_choice.allowed_tools'), found)
    default:
      found.extra('tool_choice', 'native', 'only the Chat Completions API has this choice')
      return undefined
  }
}

function allowedTools({ mode, tools }: JsonObject, found: Notes): ToolChoice {
  const path = 'tool_choice.allowed_tools'
  found.uses('tool_subset', path)
  const only = objectsIn(tools).map((tool, index) => {
    const named = objectAt(tool, 'function') ?? objectAt(tool, 'custom') ?? tool
    return readName(named.name, `${path}.tools[${index}].name`)
  })
  return { mode: mode === 'required' ? 'required' : 'auto', only }
}
