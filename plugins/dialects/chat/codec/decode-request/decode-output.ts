import { wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Effort, GenerateRequest, OutputFormat } from '../../../../../src/generate/request.ts'
import { noteMembers } from './members.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import {
  booleanMember,
  checkDepth,
  isGiven,
  readObject,
  textMember,
} from '../../../../../src/kit/codec/read.ts'

/** Reads the output format, the verbosity and the reasoning effort. */
export function readOutput(
  body: JsonObject,
  notes: Notes,
): Pick<GenerateRequest, 'output' | 'verbosity' | 'reasoning'> {
  const output = readFormat(body.response_format, notes)
  const verbosity = oneOf(verbosities, body, 'verbosity')
  const effort = oneOf(efforts, body, 'reasoning_effort')
  if (verbosity && verbosity !== 'medium') notes.uses('verbosity', 'verbosity')
  if (effort) notes.uses('reasoning_effort', 'reasoning_effort')
  return {
    ...(output && { output }),
    ...(verbosity && { verbosity }),
    ...(effort && { reasoning: { effort } }),
  }
}

const verbosities = ['low', 'medium', 'high'] as const

const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

function oneOf<Word extends string>(
  words: readonly Word[],
  body: JsonObject,
  name: string,
): Word | undefined {
  const value = body[name]
  if (!isGiven(value)) return undefined
  const known = words.find((word) => word === value)
  if (!known) throw wrong(name, `one of ${words.join(', ')}`)
  return known
}

function readFormat(value: unknown, notes: Notes): OutputFormat | undefined {
  if (!isGiven(value)) return undefined
  const format = readObject(value, 'response_format')
  noteMembers('responseFormat', format, 'response_format', notes)
  switch (format.type) {
    case 'text':
      return { kind: 'text' }
    case 'json_object':
      notes.uses('json_object', 'response_format')
      return { kind: 'json' }
    case 'json_schema':
      notes.uses('json_schema', 'response_format.json_schema')
      return schemaFormat(readObject(format.json_schema, 'response_format.json_schema'), notes)
    default:
      throw wrong('response_format.type', 'one of text, json_object, json_schema')
  }
}

function schemaFormat(format: JsonObject, notes: Notes): OutputFormat {
  noteMembers('jsonSchema', format, 'response_format.json_schema', notes)
  const at = 'response_format.json_schema'
  const name = textMember(format, 'name', at)
  const description = textMember(format, 'description', at)
  const path = `${at}.schema`
  checkDepth(format.schema, path)
  return {
    kind: 'schema',
    schema: isGiven(format.schema) ? readObject(format.schema, path) : {},
    ...(name && { name }),
    ...(description !== undefined && { description }),
    strict: booleanMember(format, 'strict', at) === true,
  }
}
