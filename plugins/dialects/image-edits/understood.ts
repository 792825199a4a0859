import type { RequestBody } from '../../../src/body.ts'
import type { Call } from '../../../src/exchange.ts'
import type { ChosenModel } from './models.ts'
import { modelAt, type Values } from './values.ts'

/** What routing has to know of a call for images. */
export function imageCall(body: RequestBody, values: Values, { name }: ChosenModel): Call {
  return {
    model: name,
    stream: values['stream'] === true,
    refersTo: [],
    edits: [],
    losses: [],
    modelAt: modelAt(body),
  }
}

/** How many images are asked for. */
export function imagesIn(values: Values): number {
  return typeof values['n'] === 'number' ? values['n'] : 1
}
