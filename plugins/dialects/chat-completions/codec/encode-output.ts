import type { JsonObject } from '../../../../src/codec.ts'
import type { Effort, OutputFormat, Reasoning } from '../../../../src/generate/request.ts'
import { fitsStrict } from './strict-schema.ts'

/** `response_format`; `undefined` for plain text. */
export function encodeFormat(output: OutputFormat | undefined): JsonObject | undefined {
  if (!output || output.kind === 'text') return undefined
  if (output.kind === 'json') return { type: 'json_object' }
  const { schema, name, description, strict = fitsStrict(schema) } = output
  return {
    type: 'json_schema',
    json_schema: {
      name: safeName(name),
      ...(description !== undefined && { description }),
      schema,
      strict,
    },
  }
}

function safeName(name = ''): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'response'
}

/** Accounts take `json_object` only where the conversation speaks of JSON. */
export function withJsonWord(messages: JsonObject[], output: OutputFormat | undefined): void {
  if (output?.kind !== 'json' || messages.some(speaksOfJson)) return
  messages.unshift({ role: 'system', content: 'Answer with a JSON object.' })
}

function speaksOfJson({ content }: JsonObject): boolean {
  return /json/i.test(typeof content === 'string' ? content : textsIn(content))
}

function textsIn(content: unknown): string {
  const parts = Array.isArray(content) ? (content as JsonObject[]) : []
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join(' ')
}

/** From how many tokens on a budget means which effort. */
const efforts: readonly [least: number, effort: Effort][] = [
  [10_000, 'high'],
  [5_000, 'medium'],
  [2_000, 'low'],
  [1, 'minimal'],
]

/** `reasoning_effort`, the nearest where the client gave a budget of tokens. */
export function encodeEffort({ effort, budget }: Reasoning = {}): Effort | undefined {
  if (effort !== undefined || budget === undefined) return effort
  if (budget === 0) return 'none'
  return efforts.find(([least]) => budget >= least)?.[1]
}
