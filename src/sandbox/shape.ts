import { FaultError, type Measure, type Path } from './fault.ts'
import { isObject, textOf } from './json.ts'

/** Checks one value. Throws a `FaultError` for a wrong one. */
export type Shape = (value: unknown, path: Path) => void

/** The shapes of an object's members, by key. */
export type Members = Record<string, Shape>

/** The members of an object, and whether others are allowed. */
export type ObjectSpec = {
  required?: Members
  /** `null` stands for an absent member. */
  optional?: Members
  /** Members that may be absent, but not `null`. */
  omittable?: Members
  open?: boolean
}

/** Accepts every value. */
export const anything: Shape = () => {}

/** A string. The limits count UTF-16 code units. */
export function string(limits: { min?: number; max?: number; pattern?: RegExp } = {}): Shape {
  return (value, path) => {
    if (typeof value !== 'string') throw wrongType(path, 'a string', value)
    checkLimit(path, 'length', value.length, limits)
    if (limits.pattern && !limits.pattern.test(value))
      throw new FaultError({ kind: 'pattern', path, pattern: limits.pattern.source, actual: value })
  }
}

/** A number within bounds. */
export function number(limits: { min?: number; max?: number } = {}): Shape {
  return (value, path) => {
    if (typeof value !== 'number') throw wrongType(path, 'a number', value)
    checkLimit(path, 'number', value, limits)
  }
}

/** A whole number within bounds. */
export function integer(limits: { min?: number; max?: number } = {}): Shape {
  return (value, path) => {
    if (!Number.isInteger(value)) throw wrongType(path, 'an integer', value)
    checkLimit(path, 'number', Number(value), limits)
  }
}

/** True or false. */
export const boolean: Shape = (value, path) => {
  if (typeof value !== 'boolean') throw wrongType(path, 'a boolean', value)
}

/** The shape of one of these strings. */
export function choice(...allowed: string[]): Shape {
  return (value, path) => {
    if (typeof value !== 'string' || !allowed.includes(value))
      throw new FaultError({ kind: 'choice', path, allowed, actual: value })
  }
}

/** Null, or a value of the other shape. */
export function nullable(shape: Shape): Shape {
  return (value, path) => {
    if (value !== null) shape(value, path)
  }
}

/** An array whose items all have the same shape. The limits count items. */
export function list(of: Shape, limits: { min?: number; max?: number } = {}): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrongType(path, 'an array', value)
    checkLimit(path, 'items', value.length, limits)
    value.forEach((item, index) => of(item, [...path, index]))
  }
}

/** A string, or a value of the other shape. */
export function stringOr(other: Shape): Shape {
  return (value, path) => {
    if (typeof value !== 'string') other(value, path)
  }
}

/** An object whose values all have the same shape. */
export function dictionary(of: Shape, limits: { keyLength?: number; size?: number } = {}): Shape {
  return (value, path) => {
    if (!isObject(value)) throw wrongType(path, 'an object', value)
    const keys = Object.keys(value)
    checkLimit(path, 'items', keys.length, { max: limits.size })
    for (const key of keys) {
      checkLimit([...path, key], 'length', key.length, { max: limits.keyLength })
      of(value[key], [...path, key])
    }
  }
}

/** An object with these members. */
export function object(spec: ObjectSpec): Shape {
  return (value, path) => {
    if (!isObject(value)) throw wrongType(path, 'an object', value)
    checkMembers(value, path, spec)
  }
}

/** An object whose member `tag` selects one of several shapes. */
export function variants(tag: string, table: Record<string, ObjectSpec>): Shape {
  const tagged = choice(...Object.keys(table))
  return (value, path) => {
    if (!isObject(value)) throw wrongType(path, 'an object', value)
    if (value[tag] === undefined) throw new FaultError({ kind: 'missing', path: [...path, tag] })
    tagged(value[tag], [...path, tag])
    const spec = table[textOf(value[tag])]!
    checkMembers(value, path, { ...spec, required: { [tag]: anything, ...spec.required } })
  }
}

function checkMembers(value: Record<string, unknown>, path: Path, spec: ObjectSpec): void {
  const { required = {}, optional = {}, omittable = {} } = spec
  for (const key of Object.keys(required))
    if (value[key] === undefined) throw new FaultError({ kind: 'missing', path: [...path, key] })
  for (const [key, member] of Object.entries(value)) {
    const shape = ownMember(required, key) ?? ownMember(omittable, key)
    if (shape) shape(member, [...path, key])
    else if (Object.hasOwn(optional, key)) {
      if (member !== null) optional[key]?.(member, [...path, key])
    } else if (!spec.open) throw new FaultError({ kind: 'unknown', path: [...path, key] })
  }
}

function ownMember(members: Members, key: string): Shape | undefined {
  return Object.hasOwn(members, key) ? members[key] : undefined
}

function checkLimit(
  path: Path,
  of: Measure,
  actual: number,
  limits: { min?: number | undefined; max?: number | undefined },
): void {
  const { min = -Infinity, max = Infinity } = limits
  if (actual < min)
    throw new FaultError({ kind: 'limit', path, of, bound: 'min', limit: min, actual })
  if (actual > max)
    throw new FaultError({ kind: 'limit', path, of, bound: 'max', limit: max, actual })
}

function wrongType(path: Path, expected: string, value: unknown): FaultError {
  return new FaultError({ kind: 'type', path, expected, actual: describeType(value) })
}

function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (Number.isInteger(value)) return 'an integer'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
