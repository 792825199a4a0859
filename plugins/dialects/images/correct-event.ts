import type { ObservedEvent } from '../../../src/kit/observe.ts'
import { tokensAt } from '../../../src/lib/json/read.ts'
import {
  type ResultContext,
  createdAt,
  resultUsage,
  resultWord,
  wordFields,
} from './result-fields.ts'
import type { Values } from './values.ts'

/**
 * Returns an event of a stream with the words and types of a result (docs/wire/contract.md 6);
 * `undefined` if it has them. Fields that the account left out stay absent.
 */
export function correctEvent(
  { name, json = {} }: Pick<ObservedEvent, 'name' | 'json'>,
  context: ResultContext,
): Values | undefined {
  const corrected: Record<string, unknown> = {}
  const correct = (field: string, value: unknown) => {
    if (field in json && json[field] !== value) corrected[field] = value
  }
  if (typeof json['type'] !== 'string' && name !== '') corrected['type'] = name
  correct('partial_image_index', tokensAt(json, 'partial_image_index'))
  if ('created_at' in json) correct('created_at', createdAt(json['created_at'], context.now))
  for (const field of wordFields) {
    if (field in json) correct(field, resultWord(field, json[field], json, context))
  }
  correct('usage', resultUsage(json['usage'], context))
  return Object.keys(corrected).length === 0 ? undefined : { ...json, ...corrected }
}
