import { wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { isObject } from '../../../src/lib/json/object.ts'
import { hasPlace, imagePlaces, videoPlaces } from './image-source.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Validates an instance: each one is billed. Its prompt may be absent only beside a picture or a
 * video. Throws `GatewayError` 400.
 */
export function checkInstance(instance: unknown, index: number): void {
  const at = `instances[${index}]`
  if (!isObject(instance)) throw wrong(at, 'an object')
  for (const name of ['image', 'lastFrame'])
    checkMedium(instance, name, { at, places: imagePlaces })
  checkMedium(instance, 'video', { at, places: videoPlaces })
  checkPrompt(instance, at)
}

/** Members that can take the place of a prompt (docs/wire/gemini.md 2.1). */
const insteadOfPrompt = ['image', 'lastFrame', 'video', 'referenceImages']

function checkPrompt(instance: Json, at: string): void {
  const param = `${at}.prompt`
  const { prompt } = instance
  if (isAbsent(prompt)) {
    if (insteadOfPrompt.some((name) => !isAbsent(instance[name]))) return
    throw new GatewayError('missing_required_parameter', `\`${param}\` is required.`, { param })
  }
  if (typeof prompt !== 'string') throw wrong(param, 'a string')
  if (prompt.trim() === '') throw wrong(param, 'a non-empty string')
}

interface MediumOptions {
  /** The path of the instance. */
  readonly at: string
  /** Members that locate the medium. */
  readonly places: readonly string[]
}

function checkMedium(instance: Json, name: string, { at, places }: MediumOptions): void {
  const medium = instance[name]
  if (isAbsent(medium)) return
  const field = `${at}.${name}`
  if (!isObject(medium)) throw wrong(field, 'an object')
  checkTexts(medium, [...places, 'mimeType', 'encoding'], field)
  const { inlineData } = medium
  if (!isAbsent(inlineData)) {
    if (!isObject(inlineData)) throw wrong(`${field}.inlineData`, 'an object')
    checkTexts(inlineData, ['data', 'mimeType'], `${field}.inlineData`)
  }
  if (!hasPlace(medium, places)) throw wrong(field, `an object with ${formatPlaces(places)}`)
}

function checkTexts(object: Json, names: readonly string[], at: string): void {
  for (const name of names) {
    const value = object[name]
    if (!isAbsent(value) && typeof value !== 'string') throw wrong(`${at}.${name}`, 'a string')
  }
}

function formatPlaces(places: readonly string[]): string {
  return places.map((name) => `\`${name}\``).join(' or ')
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}
