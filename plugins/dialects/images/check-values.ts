import {
  checkBoolean,
  checkInteger,
  checkString,
  isPresent,
  requireString,
  wrong,
} from '../../../src/kit/checks.ts'
import { type ChosenModel, newerOnly } from './models.ts'
import type { Values } from './values.ts'

/** In characters. */
const longestPrompts = { legacy: 1_000, newer: 32_000, later: 32_000 }

const sizes = {
  legacy: ['256x256', '512x512', '1024x1024'],
  newer: ['1024x1024', '1536x1024', '1024x1536', 'auto'],
}

const qualities = {
  legacy: ['standard', 'auto'],
  newer: ['auto', 'high', 'medium', 'low'],
}

/** The limits of an edit's plain fields (docs/wire/contract.md 6). Throws `GatewayError` 400. */
export function checkEdit(values: Values, model: ChosenModel): void {
  const { kind } = model
  checkCommon(values, model)
  if (kind !== 'legacy') refuseWith(values, 'response_format', 'newer image models')
  if (kind !== 'later') {
    checkWord(values, 'size', sizes[kind])
    checkWord(values, 'quality', qualities[kind])
  }
}

/** Those of a generation, as far as both kinds of models share them with edits. */
export function checkGeneration(values: Values, model: ChosenModel): void {
  checkCommon(values, model)
  if (model.kind === 'legacy') {
    checkWord(values, 'size', sizes.legacy)
    checkWord(values, 'quality', qualities.legacy)
  }
}

function checkCommon(values: Values, { kind }: ChosenModel): void {
  checkPrompt(requireString(values, 'prompt'), longestPrompts[kind])
  checkBoolean(values, 'stream')
  checkInteger(values, 'n', 1, 10)
  for (const name of ['size', 'quality', 'user']) checkString(values, name)
  checkWord(values, 'response_format', ['url', 'b64_json'])
  if (kind === 'legacy') refuseNewer(values)
  else checkNewer(values)
}

function checkPrompt(prompt: string, most: number): void {
  // A character is one or two units of UTF-16, so that few prompts have to be counted.
  const { length } = prompt
  if (length <= most) return
  if (length > 2 * most || Array.from(prompt).length > most) {
    throw wrong('prompt', `at most ${most} characters long`)
  }
}

function refuseNewer(values: Values): void {
  for (const name of newerOnly) refuseWith(values, name, 'the legacy image model')
  if (values['stream'] === true) refuseWith(values, 'stream', 'the legacy image model')
}

function checkNewer(values: Values): void {
  checkWord(values, 'background', ['transparent', 'opaque', 'auto'])
  checkWord(values, 'output_format', ['png', 'jpeg', 'webp'])
  checkWord(values, 'input_fidelity', ['high', 'low'])
  checkInteger(values, 'output_compression', 0, 100)
  checkInteger(values, 'partial_images', 0, 3)
  const format = values['output_format'] ?? 'png'
  if (values['background'] === 'transparent' && format === 'jpeg') {
    throw wrong('background', '`opaque` or `auto` with `output_format` jpeg')
  }
  if (Number(values['output_compression'] ?? 100) < 100 && format === 'png') {
    throw wrong('output_compression', '100 unless `output_format` is jpeg or webp')
  }
}

function checkWord(values: Values, name: string, words: readonly string[]): void {
  if (!isPresent(values, name)) return
  const value = values[name]
  if (typeof value === 'string' && words.includes(value)) return
  throw wrong(name, `one of ${words.map((word) => `\`${word}\``).join(', ')}`)
}

function refuseWith(values: Values, name: string, whom: string): void {
  if (isPresent(values, name)) throw wrong(name, `left out with ${whom}`)
}
