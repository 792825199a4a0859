import { isObject, isTooDeep } from '../lib/json/object.ts'
import type { GenerateRequest } from './request.ts'

/** The fault of a value. */
interface Fault {
  /** The path from the value to the fault, such as `[0].text`. */
  readonly path: string
  /** A description of a valid value. */
  readonly wanted: string
}

/** Returns the fault of a value; `undefined` for a valid one. */
type Check = (value: unknown) => Fault | undefined

/** The check that a value satisfies a condition. */
function being(wanted: string, holds: (value: unknown) => boolean): Check {
  const fault = { path: '', wanted }
  return (value) => (holds(value) ? undefined : fault)
}

const string = being('a string', (value) => typeof value === 'string')
const boolean = being('true or false', (value) => typeof value === 'boolean')
const number = being('a number', Number.isFinite)
const json = being('an object of JSON', (value) => isObject(value) && !isTooDeep(value))
const anything: Check = () => undefined

/** An object with these members. `?` behind a name: the member may be absent. */
function object(members: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(members).map(([key, check]) => {
    return { name: key.replace('?', ''), isOptional: key.endsWith('?'), check }
  })
  return (value) => {
    if (!isObject(value)) return { path: '', wanted: 'an object' }
    for (const { name, isOptional, check } of checks) {
      const member = value[name]
      if (member === undefined && isOptional) continue
      const found = check(member)
      if (found) return { ...found, path: `.${name}${found.path}` }
    }
    return undefined
  }
}

function list(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return { path: '', wanted: 'a list' }
    for (let index = 0; index < value.length; index++) {
      const found = check(value[index])
      if (found) return { ...found, path: `[${index}]${found.path}` }
    }
    return undefined
  }
}

/** The check of one of several objects, which the value of a member names. */
function either(name: string, checks: Readonly<Record<string, Check>>): Check {
  const fault = { path: `.${name}`, wanted: `one of ${Object.keys(checks).join(', ')}` }
  return (value) => {
    const word = isObject(value) ? value[name] : undefined
    const check = typeof word === 'string' && Object.hasOwn(checks, word) && checks[word]
    return check ? check(value) : fault
  }
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
 * Asserts that a plugin changed `original` into a valid request. Throws `TypeError`, also if the plugin
 * changed `stream`, which only clients decide.
 */
export function assertChangedRequest(changed: unknown, original: GenerateRequest): void {
  if (changed === original) return
  if (!isObject(changed)) {
    throw new TypeError(
      'The hook returned no request: return the one that it got, or a changed one.',
    )
  }
  const found = request(changed)
  if (found) {
    const { path, wanted } = found
    const fault = `\`${path.slice(1)}\` is not ${wanted}`
    throw new TypeError(`The hook returned a request that is none: ${fault}.`)
  }
  if (changed.stream !== original.stream) throw new TypeError('The hook changed `stream`.')
}
