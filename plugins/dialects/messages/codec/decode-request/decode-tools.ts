import { wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { stringAt } from '../../../../../src/lib/json/read.ts'
import {
  booleanMember,
  checkDepth,
  readList,
  readObject,
  textMember,
} from '../../../../../src/kit/codec/read.ts'
import { noteMembers } from './members.ts'
import { type MessageNotes, readCacheMark, readNameMember } from './read.ts'

const known = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'allowed_callers'])

const hints = new Set(['cache_control', 'defer_loading', 'eager_input_streaming'])

/** Reads the client's tools. Tools with a type of their own run at the provider. */
export function readTools({ tools }: JsonObject, notes: MessageNotes): readonly Tool[] {
  return readList(tools ?? [], 'tools').flatMap((item, position) => {
    const path = `tools[${position}]`
    const json = readObject(item, path)
    if ((json.type ?? 'custom') === 'custom') return [readTool(json, path, notes)]
    notes.native(path, `only the Messages API has the tool \`${stringAt(json, 'type')}\``)
    return []
  })
}

function readTool(json: JsonObject, path: string, notes: MessageNotes): Tool {
  const { input_schema: schema, allowed_callers: callers } = json
  const strict = booleanMember(json, 'strict', path)
  notes.rest(json, path, known, hints)
  if (Array.isArray(callers) && !callers.includes('direct')) {
    notes.extra(`${path}.allowed_callers`, 'warn', 'in other dialects the model calls tools itself')
  }
  checkDepth(schema, `${path}.input_schema`)
  if (strict === true) notes.uses('strict_tools', `${path}.strict`)
  const description = textMember(json, 'description', path)
  return {
    kind: 'function',
    name: readNameMember(json, 'name', path),
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { parameters: readObject(schema, `${path}.input_schema`) }),
    ...(strict !== undefined && { strict }),
    ...readCacheMark(json, path, notes),
  }
}

/** The tool choice, and whether the model may call several tools at once. */
interface DecodedToolChoice {
  readonly toolChoice?: ToolChoice
  readonly parallelToolCalls?: boolean
}

/** Reads `tool_choice`. */
export function readToolChoice(
  { tool_choice: choice }: JsonObject,
  notes: MessageNotes,
): DecodedToolChoice {
  if ((choice ?? undefined) === undefined) return {}
  const json = readObject(choice, 'tool_choice')
  notes.sets('tool_choice', 'tool_choice')
  noteMembers('toolChoice', json, 'tool_choice', notes)
  const isSerial = booleanMember(json, 'disable_parallel_tool_use', 'tool_choice')
  if (isSerial !== true) return { toolChoice: readMode(json) }
  notes.uses('parallel_tool_calls', 'tool_choice.disable_parallel_tool_use')
  return { toolChoice: readMode(json), parallelToolCalls: false }
}

function readMode(json: JsonObject): ToolChoice {
  switch (json.type) {
    case 'auto':
      return { mode: 'auto' }
    case 'any':
      return { mode: 'required' }
    case 'tool':
      return { mode: 'required', only: [readNameMember(json, 'name', 'tool_choice')] }
    case 'none':
      return { mode: 'none' }
    default:
      throw wrong('tool_choice.type', 'one of auto, any, tool, none')
  }
}
