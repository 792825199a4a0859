import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import type { RawRequest } from '../../../src/contract/codec.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { sse } from '../../../src/kit/framing/sse.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { codecs, type Name } from '../samples/index.ts'
import { print } from './print.ts'

/**
 * A file of cases, `<codec>.<topic>.txt`. A case is a title after `# `, and what goes into a door of the codec and comes
 * out of it, a name with JSON each:
 *
 * - `asked` (a client's body) `means` (the neutral request)
 * - `request` (a neutral request), perhaps `model`, `path` and `body` (for an account), `lost`
 * - `reply` (of an account) `means` (the neutral reply)
 * - `result` (a neutral reply), perhaps `asked`, `body` (for a client), `lost`
 *
 * `refused` stands for the error of a door. Members that a greeting has, or that are empty, are left out.
 */
export interface Golden {
  readonly path: string
  readonly text: string
  readonly cases: readonly Case[]
}

interface Case {
  readonly title: string
  /** As the file has it. */
  readonly text: string
  /** As the codec makes it. */
  render(): string
}

/** Reads all files. */
export function readGoldens(): Golden[] {
  return globSync('*.txt', { cwd: import.meta.dirname })
    .toSorted()
    .map((name) => {
      const path = join(import.meta.dirname, name)
      const codec = basename(name).split('.')[0] as Name
      const text = readFileSync(path, 'utf8')
      return {
        path,
        text,
        cases: text
          .trimEnd()
          .split('\n\n')
          .map((one) => readCase(codec, one)),
      }
    })
}

function readCase(codec: Name, text: string): Case {
  const [title = '', ...lines] = text.split('\n')
  const given: Record<string, JsonObject> = {}
  for (const entry of lines.join('\n').split(/\n(?! )/)) {
    const [, name = '', json = ''] = /^(\w+) ([^]*)$/.exec(entry) ?? []
    given[name] = JSON.parse(json) as JsonObject
  }
  return { title: title.slice(2), text, render: () => [title, ...render(codec, given)].join('\n') }
}

type Given = Readonly<Record<string, JsonObject | string>>

function render(codec: Name, given: Given): string[] {
  const { asked, request, reply, result, model } = given as Record<string, JsonObject>
  const lost: unknown[] = []
  const drop = (...loss: unknown[]) => void lost.push(loss)
  if (request) {
    const neutral = { ...greeting, ...request } as unknown as GenerateRequest
    const name = (model as unknown as string) ?? 'm'
    return shown({ request, model }, () => {
      return { ...codecs[codec].encodeRequest(neutral, name, drop), lost }
    })
  }
  if (reply) {
    const neutral = greeting as unknown as GenerateRequest
    return shown({ reply }, () => ({ means: codecs[codec].decodeResult(reply, neutral) }))
  }
  const raw = rawRequest(codec, asked)
  if (!result) {
    return shown({ asked }, () => ({ means: lean(codecs[codec].decodeRequest(raw)) }))
  }
  return shown({ result, asked }, () => {
    let ids = 0
    const context = {
      rawRequest: raw,
      request: codecs[codec].decodeRequest(raw),
      requestId: 'req_1',
      model: 'm',
      now: 1_700_000_000_000,
      framing: sse,
      drop,
      newId: (prefix: string) => `${prefix}${++ids}`,
    }
    const written = codecs[codec].encodeResult(result as unknown as GenerateResult, context)
    return { body: written.body, lost }
  })
}

/** The lines of what goes in and of what comes out. */
function shown(given: Record<string, unknown>, work: () => Record<string, unknown>): string[] {
  let made: Record<string, unknown>
  try {
    made = work()
  } catch (error) {
    if (!GatewayError.isInstance(error)) throw error
    const { status, param, message } = error
    made = { refused: { status, param, message } }
  }
  return Object.entries({ ...given, ...made })
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name} ${print(JSON.parse(JSON.stringify(value)), name.length + 1)}`)
}

/** A request that says hello. */
const greeting = {
  stream: false,
  tools: [],
  sampling: {},
  fields: {},
  extras: [],
  turns: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
}

const greetings: Readonly<Record<Name, JsonObject>> = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Hello' }] },
  generate: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  messages: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
  responses: { model: 'm', input: 'Hello' },
}

function rawRequest(codec: Name, body: JsonObject = {}): RawRequest {
  const whole = { ...greetings[codec], ...body }
  return { body: whole, stream: whole.stream === true, query: '', headers: {} }
}

/** A neutral request without what a greeting has. */
function lean(request: GenerateRequest): object {
  const usual = new Map(
    Object.entries(greeting).map(([name, value]) => [name, JSON.stringify(value)]),
  )
  return Object.fromEntries(
    Object.entries(request).filter(([name, value]) => usual.get(name) !== JSON.stringify(value)),
  )
}
