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

/** Maximum prompt length in characters. */
const maxPromptLength = { legacy: 1_000, newer: 32_000, later: 32_000 }

const sizes = {
  legacy: ['256x256', '512x512', '1024x1024'],
  newer: ['1024x1024', '1536x1024', '1024x1536', 'auto'],
}

const qualities = {
  legacy: ['standard', 'auto'],
  newer: ['auto', 'high', 'medium', 'low'],
}

/** Checks an edit's fields except images (docs/wire/contract.md 6). Throws `GatewayError` 400. */
export function checkEdit(values: Values, model: ChosenModel): void {
  const { kind } = model
  checkCommon(values, model)
  if (kind !== 'legacy') reject(values, 'response_format', 'newer image models')
  if (kind !== 'later') {
    checkWord(values, 'size', sizes[kind])
    checkWord(values, 'quality', qualities[kind])
  }
}

/** Checks a generation's fields. Throws `GatewayError` 400. */
export function checkGeneration(values: Values, model: ChosenModel): void {
  checkCommon(values, model)
  if (model.kind === 'legacy') {
    checkWord(values, 'size', sizes.legacy)
    checkWord(values, 'quality', qualities.legacy)
  }
}

function checkCommon(values: Values, { kind }: ChosenModel): void {
  checkPrompt(requireString(values, 'prompt'), maxPromptLength[kind])
  checkBoolean(values, 'stream')
  checkInteger(values, 'n', 1, 10)
  for (const name of ['size', 'quality', 'user']) checkString(values, name)
  checkWord(values, 'response_format', ['url', 'b64_json'])
  if (kind === 'legacy') rejectNewerFields(values)
  else checkNewerFields(values)
}

function checkPrompt(prompt: string, limit: number): void {
  // A character is one or two UTF-16 units, so most prompts need no counting.
  const { length } = prompt
  if (length <= limit) return
  if (length > 2 * limit || Array.from(prompt).length > limit) {
    throw wrong('prompt', `at most ${limit} characters long`)
  }
}

function rejectNewerFields(values: Values): void {
  for (const name of newerOnly) reject(values, name, 'the legacy image model')
  if (values['stream'] === true) reject(values, 'stream', 'the legacy image model')
}

function checkNewerFields(values: Values): void {
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

function reject(values: Values, name: string, models: string): void {
  if (isPresent(values, name)) throw wrong(name, `left out with ${models}`)
}
