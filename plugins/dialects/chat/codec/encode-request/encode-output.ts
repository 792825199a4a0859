import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { resolveStrict } from '../../../shared/openai-schema.ts'
import type { GenerateRequest, OutputFormat } from '../../../../../src/generate/request.ts'
import { schemaName } from '../../../../../src/generate/names.ts'

/** `response_format`; `undefined` for plain text. */
export function encodeFormat(request: GenerateRequest, drop: RecordLoss): JsonObject | undefined {
  const { output } = request
  if (!output || output.kind === 'text') return undefined
  if (output.kind === 'json') return { type: 'json_object' }
  const { schema, name, description } = output
  return {
    type: 'json_schema',
    json_schema: {
      name: schemaName(name),
      ...(description !== undefined && { description }),
      schema,
      strict: resolveStrict(output, request, drop),
    },
  }
}

/** Accounts take `json_object` only where the conversation speaks of JSON. */
export function withJsonWord(
  messages: JsonObject[],
  output: OutputFormat | undefined,
  role: 'developer' | 'system',
): void {
  if (output?.kind !== 'json' || messages.some(speaksOfJson)) return
  messages.unshift({ role, content: 'Answer with a JSON object.' })
}

function speaksOfJson({ content }: JsonObject): boolean {
  return /json/i.test(typeof content === 'string' ? content : textsIn(content))
}

function textsIn(content: unknown): string {
  const parts = Array.isArray(content) ? (content as JsonObject[]) : []
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join(' ')
}
