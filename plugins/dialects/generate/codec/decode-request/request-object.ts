import { wrong } from '../../../../../src/kit/checks.ts'
import { type JsonObject, isObject } from '../../../../../src/lib/json/object.ts'

/** The numbers that a field takes, both ends included. `most` needs `least`. */
type Limits =
  | { readonly least?: number; readonly most?: undefined }
  | { readonly least: number; readonly most: number }

const snakeNames = new Map<string, string>()

/**
 * An object inside a client's request, with its path. Callers name fields in camelCase; the object finds
 * them in snake_case too. Paths have the client's spelling. `null` counts as absent. The typed readers
 * throw `invalid_value` with the path for a value of another type.
 */
export class RequestObject {
  readonly json: JsonObject
  readonly path: string

  constructor(json: JsonObject, path = '') {
    this.json = json
    this.path = path
  }

  has(name: string): boolean {
    return this.value(name) !== undefined
  }

  value(name: string): unknown {
    return this.json[name] ?? this.json[snakeOf(name)] ?? undefined
  }

  /** Returns the path of a field in the client's spelling. */
  pathOf(name: string): string {
    const isSnake = isAbsent(this.json[name]) && !isAbsent(this.json[snakeOf(name)])
    const written = isSnake ? snakeOf(name) : name
    return this.path === '' ? written : `${this.path}.${written}`
  }

  text(name: string): string | undefined {
    const value = this.value(name)
    if (value !== undefined && typeof value !== 'string') throw wrong(this.pathOf(name), 'a string')
    return value
  }

  /** Reads a number. Protobuf allows numbers as text. */
  number(name: string, limits: Limits = {}): number | undefined {
    return this.#number(name, 'a number', limits, Number.isFinite)
  }

  /** Reads an integer. Protobuf allows integers as text. */
  integer(name: string, limits: Limits = {}): number | undefined {
    return this.#number(name, 'an integer', limits, Number.isSafeInteger)
  }

  boolean(name: string): boolean | undefined {
    const value = this.value(name)
    if (value !== undefined && typeof value !== 'boolean') {
      throw wrong(this.pathOf(name), 'true or false')
    }
    return value
  }

  object(name: string): RequestObject | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (!isObject(value)) throw wrong(this.pathOf(name), 'an object')
    return new RequestObject(value, this.pathOf(name))
  }

  objects(name: string): RequestObject[] {
    return this.#list(name).map((item, index) => {
      const path = `${this.pathOf(name)}[${index}]`
      if (!isObject(item)) throw wrong(path, 'an object')
      return new RequestObject(item, path)
    })
  }

  texts(name: string): string[] {
    return this.#list(name).map((item, index) => {
      if (typeof item !== 'string') throw wrong(`${this.pathOf(name)}[${index}]`, 'a string')
      return item
    })
  }

  /** Returns the names of the present fields in camelCase. */
  names(): string[] {
    return Object.keys(this.json)
      .map(camelOf)
      .filter((name) => this.has(name))
  }

  #number(
    name: string,
    kind: string,
    { least = -Infinity, most = Infinity }: Limits,
    isOfKind: (value: number) => boolean,
  ): number | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    const isRead = typeof number === 'number' && isOfKind(number)
    if (isRead && number >= least && number <= most) return number
    throw wrong(this.pathOf(name), `${kind}${nameLimits(least, most)}`)
  }

  #list(name: string): readonly unknown[] {
    const value = this.value(name)
    if (value === undefined) return []
    if (!Array.isArray(value)) throw wrong(this.pathOf(name), 'an array')
    return value
  }
}

function nameLimits(least: number, most: number): string {
  if (most !== Infinity) return ` from ${least} to ${most}`
  return least === -Infinity ? '' : `, at least ${least}`
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

/** Converts a name from snake_case to camelCase. */
export function camelOf(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function snakeOf(name: string): string {
  let snake = snakeNames.get(name)
  if (snake === undefined) {
    snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    snakeNames.set(name, snake)
  }
  return snake
}
