import type { Attributes } from '@opentelemetry/api'

import type { Candidate } from '../../contract/candidate.ts'
import type { Ended, Routed } from '../../contract/exchange.ts'
import type { Summary } from '../../contract/outcome.ts'
import { rootOf } from '../../kit/account-path.ts'
import { translatedTo } from '../../kit/attempts.ts'
import { isStreamed, type OperationName, genAi, operationNameOf } from '../genai.ts'
import { exchangeErrorType } from '../error-types.ts'
import { providerNameOf } from '../provider.ts'
import type { EndedSpan } from './maker.ts'
import { addressOf, spanText } from './names.ts'
import { parametersOf } from './parameters.ts'

/** How a call ended. */
interface CallEnd {
  readonly summary: Summary
  /** When its exchange ended, by `performance.now()`. */
  readonly closedAt: number
  /** The requests to accounts. */
  readonly attempts: number
  readonly failovers: EndedSpan['events']
  readonly content: Attributes | undefined
}

/** The span of a model call, over all of its attempts. */
export class OperationSpan {
  /** `performance.now()`. */
  readonly #startedAt: number
  readonly #name: OperationName
  readonly #exchange: Routed
  /** The candidate of the first attempt. */
  readonly #candidate: Candidate
  readonly #parameters: Attributes | undefined

  constructor(exchange: Routed, name: OperationName, startedAt: number) {
    this.#name = name
    this.#exchange = exchange
    this.#candidate = exchange.candidate
    this.#startedAt = startedAt
    // A large body is released before the call ends.
    this.#parameters = exchange.body.release ? parametersOf(exchange) : undefined
  }

  /** The span after the last byte. */
  ended(exchange: Ended, { summary, closedAt, attempts, failovers, content }: CallEnd): EndedSpan {
    const { firstOutputAt } = exchange.progress
    const isFirst = isStreamed(exchange) && firstOutputAt !== undefined
    const type = exchangeErrorType(exchange, summary)
    return {
      name: spanName(this.#name, this.#exchange),
      isClient: true,
      startedAt: this.#startedAt,
      endedAt: Math.min(closedAt, endOf(exchange, summary)),
      attributes: {
        ...this.#requestAttributes(),
        ...this.#replyAttributes(exchange, summary),
        ...content,
        'dragoman.attempts': attempts,
        [genAi.errorType]: type,
      },
      events: [
        ...(failovers ?? []),
        ...(isFirst ? [{ name: 'dragoman.first_chunk', attributes: {}, at: firstOutputAt }] : []),
      ],
      isError: type !== undefined,
    }
  }

  #requestAttributes(): Attributes {
    const { call, dialect, progress } = this.#exchange
    const name = this.#name
    const chained = call.refersTo.find(({ use, kind }) => use === 'chain' && kind === 'response')
    const conversation = call.refersTo.find(({ kind }) => kind === 'conversation')
    const id = (value: string | undefined) => value && spanText(value, this.#exchange)
    return {
      [genAi.operationName]: name,
      [genAi.requestModel]: modelOf(this.#exchange),
      'gen_ai.request.stream': call.stream || undefined,
      'gen_ai.request.previous_response.id': id(chained?.id),
      'gen_ai.conversation.id': id(conversation?.id),
      'gen_ai.output.type': outputTypes[name],
      'openai.api.type': apiTypes[dialect.id],
      'dragoman.remixed_from': id(progress.job?.remixedFrom),
      ...(this.#parameters ?? parametersOf(this.#exchange)),
    }
  }

  #replyAttributes(exchange: Ended, { end }: Summary): Attributes {
    const { attempt, outcome, firstOutputAt } = exchange.progress
    const streamed = isStreamed(exchange)
    const { produced, usage, finishReasons = [] } = outcome ?? {}
    const isCut = streamed && end !== 'complete'
    const reasons = isCut ? ['error'] : finishReasons.slice(0, mostReasons)
    // A fetched response spent its tokens in an earlier call.
    const used = this.#name === 'fetch_response' ? undefined : usage
    const dialect = translatedTo(exchange)
    // The account whose answer this is: another one may have failed before it.
    const { account, dialect: spoken } = attempt?.candidate ?? this.#candidate
    return {
      [genAi.providerName]: providerNameOf(account),
      ...addressOf(rootOf(account, spoken).origin),
      'gen_ai.response.id': produced && spanText(produced.id, exchange),
      [genAi.responseModel]: produced?.model && spanText(produced.model, exchange),
      'gen_ai.response.finish_reasons':
        reasons.length > 0 ? reasons.map((one) => spanText(one, exchange)) : undefined,
      'gen_ai.response.time_to_first_chunk':
        streamed && firstOutputAt !== undefined
          ? (firstOutputAt - this.#startedAt) / 1_000
          : undefined,
      'gen_ai.usage.input_tokens': used?.inputTokens,
      'gen_ai.usage.output_tokens': used?.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': used?.cachedTokens,
      'gen_ai.usage.cache_write.input_tokens': used?.cacheWriteTokens,
      'gen_ai.usage.reasoning.output_tokens': used?.reasoningTokens,
      'gen_ai.usage.audio.input_tokens': used?.audioInputTokens,
      'gen_ai.usage.image.input_tokens': used?.imageInputTokens,
      'gen_ai.usage.audio.output_tokens': used?.audioOutputTokens,
      'gen_ai.usage.image.output_tokens': used?.imageOutputTokens,
      'dragoman.account.id': account.id,
      'dragoman.upstream.dialect': attempt?.candidate.dialect.id,
      'dragoman.translated': dialect === undefined ? undefined : true,
    }
  }
}

/** A call may ask for any number of answers. */
const mostReasons = 16

/** When the last byte went out, or when the last attempt ended if that was later. `performance.now()`. */
function endOf({ receivedAt, progress }: Ended, { durationMs }: Summary): number {
  return Math.max(receivedAt + durationMs, progress.attempt?.endedAt ?? 0)
}

function spanName(name: OperationName, exchange: Routed): string {
  const model = modelOf(exchange)
  return model === undefined ? name : `${name} ${model}`
}

/** The platform model, whose names the configuration bounds. */
function modelOf(exchange: Routed): string | undefined {
  const { model, progress } = exchange
  const name = model.name || progress.job?.model.name
  return name ? spanText(name, exchange) : undefined
}

const outputTypes: Partial<Record<OperationName, string>> = {
  image_edit: 'image',
  image_generation: 'image',
  video_generation: 'video',
}

const apiTypes: Readonly<Record<string, string>> = {
  responses: 'responses',
  chat: 'chat_completions',
}

/** The operation that an exchange asks a model for; `undefined` for one that asks none. */
export function operationOf({ operation, dialect }: Ended): OperationName | undefined {
  return operation && dialect && operationNameOf(operation, dialect)
}
