import { GatewayError } from '../../../../src/contract/errors.ts'
import { type JsonObject, deepest, isObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, stringAt } from '../../../../src/lib/json/read.ts'
import { TextSet } from '../../../../src/lib/text-map.ts'

/** An object without a prototype, so that no name of a member has a meaning of its own. */
type Members = Record<string, unknown>

/**
 * The arguments of a function call that arrives in pieces (docs/wire/gemini.md 1.6). A piece has whole
 * `args`, or `partialArgs`: values with their paths, of which texts may continue.
 */
export class PartialCall {
  #args: Members = newMembers()
  #text = ''
  /** The paths of the texts of which the account announced more that did not come yet. */
  readonly #openTexts = new TextSet()

  /** Adds a piece. Throws `unreadable()` for one whose arguments cannot be read. */
  add({ args, partialArgs }: JsonObject, unreadable: () => GatewayError): void {
    if (typeof args === 'string') this.#text += args
    else if (isObject(args)) {
      this.#openTexts.clear()
      for (const name in args) this.#args[name] = args[name]
    }
    for (const piece of objectsIn(partialArgs)) {
      if (!this.#set(piece)) throw unreadable()
    }
  }

  /** Whether a text lacks its end. */
  get hasOpenText(): boolean {
    return this.#openTexts.size > 0
  }

  /** The arguments so far, as JSON text. */
  get arguments(): string {
    return this.#text.trim() === '' ? JSON.stringify(this.#args) : this.#text
  }

  /** Applies a value to its path. Returns false for a path that does not fit. */
  #set(piece: JsonObject): boolean {
    const path = readArgumentPath(stringAt(piece, 'jsonPath') ?? '')
    if (!path || path.steps.length > deepest) return false
    const { steps, isList } = path
    const last = steps.at(-1)
    if (last === undefined) return true
    const parent = this.#parentOf(steps)
    if (!parent || !fits(parent, last)) return false
    const before = valueAt(parent, last)
    const value = valueOf(piece)
    if (typeof value === 'string' && typeof before === 'string') write(parent, last, before + value)
    else if (value !== undefined) write(parent, last, value)
    else if (before === undefined && piece.willContinue !== true) {
      write(parent, last, isList ? [] : newMembers())
    }
    if (typeof value === 'string' && piece.willContinue === true) this.#openTexts.add(keyOf(steps))
    else if (this.#openTexts.size > 0 && piece.willContinue !== true) {
      this.#openTexts.delete(keyOf(steps))
    }
    return true
  }

  /** The object or list that has the last step, made if it does not exist. */
  #parentOf(steps: readonly PathStep[]): Members | unknown[] | undefined {
    let parent: Members | unknown[] = this.#args
    for (let index = 0; index < steps.length - 1; index++) {
      const step = steps[index] as PathStep
      if (!fits(parent, step)) return undefined
      let next = valueAt(parent, step)
      if (next === undefined) {
        next = typeof steps[index + 1] === 'number' ? [] : newMembers()
        write(parent, step, next)
      }
      if (typeof next !== 'object' || next === null) return undefined
      parent = next as Members | unknown[]
    }
    return parent
  }
}

/** The same for each spelling of a path. */
function keyOf(steps: readonly PathStep[]): string {
  return JSON.stringify(steps)
}

function newMembers(): Members {
  return Object.create(null) as Members
}

/** Whether a step leads into a container. Lists grow by one element at a time. */
function fits(parent: Members | unknown[], step: PathStep): boolean {
  if (typeof step === 'number') return Array.isArray(parent) && step <= parent.length
  return !Array.isArray(parent)
}

function valueAt(parent: Members | unknown[], step: PathStep): unknown {
  const own = parent as Readonly<Record<PathStep, unknown>>
  return Object.hasOwn(own, step) ? own[step] : undefined
}

function write(parent: Members | unknown[], step: PathStep, value: unknown): void {
  const own = parent as Record<PathStep, unknown>
  own[step] = value
}

/** The value of a piece; `undefined` for a piece that only names or ends its path. */
function valueOf(piece: JsonObject): unknown {
  const { stringValue, numberValue, boolValue } = piece
  if (typeof stringValue === 'string') return stringValue
  if (typeof numberValue === 'number') return numberValue
  if (typeof boolValue === 'boolean') return boolValue
  return 'nullValue' in piece ? null : undefined
}

/** A step into an object or a list. */
type PathStep = string | number

/** `.name`, `[0]`, `['name']` or `["name"]`. */
const step = /\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]/y

/** In characters. The search for a quoted name of many millions would overflow the stack. */
const longestPath = 16_384

/**
 * Reads the path of a piece of arguments, a JSON Path (RFC 9535) with names and indexes: `$.days[0].hour`. A
 * path that ends in `[]` names a list itself. Returns `undefined` for other paths, and for one of more
 * than 16,384 characters.
 */
function readArgumentPath(
  path: string,
): { readonly steps: readonly PathStep[]; readonly isList: boolean } | undefined {
  const isList = path.endsWith('[]')
  const end = isList ? path.length - 2 : path.length
  if (path.length > longestPath || !path.startsWith('$')) return undefined
  const steps: PathStep[] = []
  step.lastIndex = 1
  while (step.lastIndex < end) {
    const found = step.exec(path)
    if (!found || step.lastIndex > end) return undefined
    const [, name, index, quoted] = found
    const key = name ?? (quoted && unquote(quoted))
    if (key === undefined && index === undefined) return undefined
    steps.push(key ?? Number(index))
  }
  return { steps, isList }
}

/** Reads a quoted name. In single quotes, `\\'` stands for a quote and `"` needs no backslash. */
function unquote(quoted: string): string | undefined {
  const content = quoted.slice(1, -1)
  const json = quoted.startsWith("'")
    ? content.replaceAll(/\\.|"/g, (found) =>
        found === "\\'" ? "'" : found === '"' ? '\\"' : found,
      )
    : content
  try {
    return JSON.parse(`"${json}"`) as string
  } catch {
    return undefined
  }
}
