import type { Account } from '../contract/account.ts'
import type { AssistantPart } from '../generate/content.ts'
import type { GenerateEvent } from '../generate/events.ts'
import type { Choice, GenerateResult } from '../generate/result.ts'
import { redact } from '../kit/secrets/redact.ts'

/**
 * Removes the account's key and address from refusals, and from reasons to stop: many are the account's
 * own words, such as `blockReasonMessage` of the Gemini API, and not the model's.
 */
export class RefusalFilter {
  readonly #upstream: Account
  /** The indexes of the parts that are refusals. */
  #refusals: Set<number> | undefined

  constructor(upstream: Account) {
    this.#upstream = upstream
  }

  /** Returns the event; another one if it discloses something. */
  clean<E extends GenerateEvent>(event: E): E {
    if (event.type === 'delta') {
      if (!this.#refusals?.has(event.index)) return event
      return { ...event, text: redact(event.text, this.#upstream) }
    }
    if (event.type === 'part' && event.part.type === 'refusal') {
      this.#refusals ??= new Set()
      this.#refusals.add(event.index)
    }
    if (event.type !== 'stop' || event.stop.raw === undefined) return event
    return { ...event, stop: { ...event.stop, raw: redact(event.stop.raw, this.#upstream) } }
  }
}

/** Returns the result with its refusals filtered in the same way. */
export function cleanRefusals(result: GenerateResult, upstream: Account): GenerateResult {
  if (!result.choices.some(isRefusal)) return result
  return { ...result, choices: result.choices.map((choice) => cleanChoice(choice, upstream)) }
}

function isRefusal({ content, stop }: Choice): boolean {
  return stop.raw !== undefined || content.some(({ type }) => type === 'refusal')
}

function cleanChoice({ content, stop }: Choice, upstream: Account): Choice {
  const clean = (part: AssistantPart) =>
    part.type === 'refusal' ? { ...part, text: redact(part.text, upstream) } : part
  const raw = stop.raw === undefined ? {} : { raw: redact(stop.raw, upstream) }
  return { content: content.map(clean), stop: { ...stop, ...raw } }
}
