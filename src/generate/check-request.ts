import { isObject, isTooDeep } from '../lib/json/object.ts'
import type { GenerateRequest } from './request.ts'

/** Returns what is wrong with a value, as a clause with the path of the fault; `undefined` if nothing is. */
type Check = (value: unknown, path: string) => string | undefined

const string: Check = (value, path) => fault(typeof value === 'string', path, 'a string')
const boolean: Check = (value, path) => fault(typeof value === 'boolean', path, 'true or false')
const number: Check = (value, path) => fault(Number.isFinite(value), path, 'a number')
const json: Check = (value, path) =>
  fault(isObject(value) && !isTooDeep(value), path, 'an object of JSON')
const anything: Check = () => undefined

/** An object with these members. `?` behind a name: the member may be absent. */
function object(members: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(members)
  return (value, path) => {
    if (!isObject(value)) return fault(false, path, 'an object')
    for (const [key, check] of checks) {
      const name = key.replace('?', '')
      const member = value[name]
      if (member === undefined && name !== key) continue
      const found = check(member, path === '' ? name : `${path}.${name}`)
      if (found) return found
    }
    return undefined
  }
}

function list(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return fault(false, path, 'a list')
    for (const [index, item] of value.entries()) {
      const found = check(item, `${path}[${index}]`)
      if (found) return found
    }
    return undefined
  }
}

/** One of several objects, by the value of a member. */
function either(name: string, checks: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    const word = isObject(value) ? value[name] : undefined
    const check = typeof word === 'string' && Object.hasOwn(checks, word) && checks[word]
    const wanted = `one of ${Object.keys(checks).join(', ')}`
    return check ? check(value, path) : fault(false, `${path}.${name}`, wanted)
  }
}

function fault(holds: boolean, path: string, wanted: string): string | undefined {
  return holds ? undefined : `\`${path}\` is not ${wanted}`
}

const source = either('kind', {
  data: object({ base64: string }),
  url: object({ url: string }),
  text: object({ text: string }),
})

const part = either('type', {
  text: object({ text: string }),
  image: object({ source }),
  file: object({ source }),
  audio: object({ source, mediaType: string }),
  refusal: object({ text: string }),
  reasoning: object({ text: string, form: string }),
  tool_call: object({ id: string, name: string, kind: string, arguments: string }),
})

const content = object({ content: list(part) })

const turn = either('role', {
  system: object({ content: list(either('type', { text: object({ text: string }) })) }),
  user: content,
  assistant: content,
  tool: object({ results: list(object({ callId: string, content: list(part) })) }),
})

const tool = either('kind', {
  function: object({ name: string, 'description?': string, 'parameters?': json }),
  custom: object({ name: string, 'description?': string }),
})

const request = object({
  stream: boolean,
  turns: list(turn),
  tools: list(tool),
  'toolChoice?': object({ mode: string, 'only?': list(string) }),
  'parallelToolCalls?': boolean,
  'output?': object({ kind: string, 'schema?': json }),
  'reasoning?': object({}),
  sampling: object({}),
  'maxOutputTokens?': number,
  'stop?': list(string),
  'candidates?': number,
  'logprobs?': object({ top: number }),
  'endUser?': string,
  'metadata?': json,
  fields: object({}),
  'settings?': anything,
  extras: list(object({ field: string })),
})

/**
 * Asserts that what a plugin made of `original` is a request. Throws `TypeError`, also if the plugin
 * changed `stream`, which only clients decide.
 */
export function assertChangedRequest(changed: unknown, original: GenerateRequest): void {
  if (changed === original) return
  if (!isObject(changed)) {
    throw new TypeError(
      'The hook returned no request: return the one that it got, or a changed one.',
    )
  }
  const found = request(changed, '')
  if (found) throw new TypeError(`The hook returned a request that is none: ${found}.`)
  if (changed.stream !== original.stream) throw new TypeError('The hook changed `stream`.')
}
