import type { JsonObject } from '../../../../src/codec.ts'
import type { OutputFormat } from '../../../../src/generate/request.ts'
import { schemaName } from '../../../../src/generate/short-names.ts'
import { fitsStrict } from './strict-schema.ts'

/** `response_format`; `undefined` for plain text. */
export function encodeFormat(output: OutputFormat | undefined): JsonObject | undefined {
  if (!output || output.kind === 'text') return undefined
  if (output.kind === 'json') return { type: 'json_object' }
  const { schema, name, description, strict = fitsStrict(schema) } = output
  return {
    type: 'json_schema',
    json_schema: {
      name: schemaName(name),
      ...(description !== undefined && { description }),
      schema,
      strict,
    },
  }
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
