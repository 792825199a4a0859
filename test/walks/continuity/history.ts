import { objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import type { Spoken } from './stage.ts'

type Json = Record<string, unknown>

/** What an account has been told of earlier answers. */
export interface History {
  readonly calls: readonly string[]
  readonly results: readonly { readonly id: string; readonly result: string }[]
  /** Without those that only say that one was lost. */
  readonly signatures: readonly string[]
}

const readers: { readonly [spoken in Spoken]: (body: Json) => History } = {
  chat: ({ messages }) => ({
    calls: objectsIn(messages).flatMap((one) => idsOf(objectsIn(one.tool_calls), 'id')),
    results: objectsIn(messages)
      .filter(({ role }) => role === 'tool')
      .map((one) => resultOf(one, 'tool_call_id', one.content)),
    signatures: [],
  }),
  messages: ({ messages }) => {
    const blocks = objectsIn(messages).flatMap(({ content }) => objectsIn(content))
    const of = (type: string) => blocks.filter((block) => block.type === type)
    return {
      calls: idsOf(of('tool_use'), 'id'),
      results: of('tool_result').map((one) => resultOf(one, 'tool_use_id', one.content)),
      signatures: [
        ...idsOf(of('thinking'), 'signature'),
        ...idsOf(of('redacted_thinking'), 'data'),
      ],
    }
  },
  responses: ({ input }) => {
    const of = (type: string) => objectsIn(input).filter((item) => item.type === type)
    return {
      calls: idsOf(of('function_call'), 'call_id'),
      results: of('function_call_output').map((one) => resultOf(one, 'call_id', one.output)),
      signatures: idsOf(of('reasoning'), 'encrypted_content'),
    }
  },
  generate: ({ contents }) => {
    const parts = objectsIn(contents).flatMap((content) => objectsIn(content.parts))
    const calls = named(parts, 'functionCall')
    return {
      calls: calls.map(({ id }) => id),
      results: named(parts, 'functionResponse').map(({ id, one }) => {
        return { id, result: resultIn(one.response) }
      }),
      signatures: idsOf(parts, 'thoughtSignature').filter((one) => !lost.has(one)),
    }
  },
}

/** Gemini's own calls have no ids: they are told apart by their names, and those by their order. */
function named(parts: readonly Json[], kind: string): { id: string; one: Json }[] {
  const seen: string[] = []
  return objectsIn(parts.map((part) => part[kind])).map((one) => {
    const name = stringAt(one, 'name') ?? ''
    if (stringAt(one, 'id') === undefined) seen.push(name)
    return {
      one,
      id: stringAt(one, 'id') ?? `${name} ${seen.filter((other) => other === name).length}`,
    }
  })
}

const escape = 'skip_thought_signature_validator'
const lost = new Set([escape, Buffer.from(escape).toString('base64')])

export function historyIn(account: Spoken, body: Json): History {
  return readers[account](body)
}

/**
 * What tools said, in the order of the calls that they said it to. Where accounts use an id again,
 * each call has the next result under it.
 */
export function resultsByCall({ calls, results }: History): (string | undefined)[] {
  const open = [...results]
  return calls.map((call) => {
    const at = open.findIndex(({ id }) => id === call)
    return at < 0 ? undefined : open.splice(at, 1)[0]?.result
  })
}

function idsOf(list: readonly Json[], name: string): string[] {
  return list.flatMap((one) => stringAt(one, name) ?? [])
}

function resultOf(one: Json, name: string, said: unknown) {
  return { id: stringAt(one, name) ?? '', result: resultIn(said) }
}

function resultIn(said: unknown): string {
  const [result = ''] = /result \d+/.exec(JSON.stringify(said)) ?? []
  return result
}
