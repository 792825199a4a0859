import { describe, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { eventStream } from '../../../src/kit/framing/event-stream.ts'
import {
  accountDialectContract,
  type AccountDialectSample,
  codecContract,
} from '../../../src/testing/index.ts'
import { awsMessage } from '../../framing/framed.ts'
import { converseBothWays } from './client.ts'
import { ending, greeting, messagesOf } from './stream.ts'

const exceptionOf = (name: string, message: string) => awsMessage(name, { message }, 'exception')
const refusalOf = (status: number, name: string, message: string) => ({
  status,
  headers: { 'x-amzn-errortype': `${name}:http://internal.amazon.com/coral/` },
  body: { message },
})

const sample: AccountDialectSample = {
  provider: 'sandbox',
  reply: {
    output: { message: { role: 'assistant', content: [{ text: 'Grüezi' }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
    metrics: { latencyMs: 7 },
  },
  text: 'Grüezi',
  // The message is complete with `messageStop`, also where its usage does not follow.
  frames: [...messagesOf(greeting), Buffer.concat(messagesOf(ending))],
  errorFrames: (message) => [
    exceptionOf('throttlingException', message),
    exceptionOf('internalServerException', message),
    exceptionOf('validationException', message),
    awsMessage(
      'modelStreamErrorException',
      { originalStatusCode: 500, originalMessage: message },
      'exception',
    ),
    exceptionOf('exceptionOfTheFuture', message),
  ],
  refusals: (message) => [
    { ...refusalOf(400, 'ValidationException', message), fault: 'caller' },
    { ...refusalOf(403, 'AccessDeniedException', message), fault: 'account', about: 'model' },
    {
      ...refusalOf(403, 'UnrecognizedClientException', message),
      fault: 'account',
      about: 'credential',
    },
    { ...refusalOf(404, 'ResourceNotFoundException', message), fault: 'account', about: 'model' },
    {
      ...refusalOf(400, 'ServiceQuotaExceededException', message),
      fault: 'account',
      about: 'account-limit',
    },
    { ...refusalOf(408, 'ModelTimeoutException', message), fault: 'account' },
    { ...refusalOf(424, 'ModelErrorException', message), fault: 'account', about: 'answer' },
    { ...refusalOf(429, 'ThrottlingException', message), fault: 'account', about: 'model-limit' },
    { ...refusalOf(500, 'InternalServerException', message), fault: 'account' },
    { ...refusalOf(503, 'ServiceUnavailableException', message), fault: 'account' },
  ],
  count: { reply: { inputTokens: 12 }, tokens: 12 },
}

describe('accounts of Converse', () => {
  for (const check of dailyRows(accountDialectContract({ dialect: 'converse', sample }))) {
    test(check.name, check.run)
  }
})

describe('the codec of Converse', () => {
  const checks = codecContract({
    codec: converseBothWays,
    framing: eventStream,
    // An effort is a budget, and the title of a document its name, beside which a text is required.
    oneWay: ['cache_points', 'document_context', 'reasoning_effort'],
  })
  for (const check of dailyRows(checks)) test(check.name, check.run)
})
