import type { HttpError } from './http-error.ts'

/** The media types of answers to operations. */
const answered = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'multipart/mixed',
]

/** An answer that the client takes does not exist. */
export const notAcceptable: HttpError = {
  status: 406,
  code: 'NOT_ACCEPTABLE',
  message:
    'Answers are `application/json`, and answers of subscriptions `text/event-stream`: name them in `accept`.',
}

/**
 * Whether a client takes an answer to its operation. An act must not happen if it does not: its answer may be all
 * that has a new secret.
 */
export function takesAnswer(accept: string | undefined): boolean {
  return (accept || '*/*')
    .toLowerCase()
    .split(',')
    .some((entry) => {
      const [type = '', ...parameters] = entry.replaceAll(/\s/g, '').split(';')
      const charset = parameters.find((one) => one.includes('charset='))
      if (charset !== undefined && charset !== 'charset=utf-8') return false
      return type === '*/*' || answered.some((one) => fits(one, type))
    })
}

function fits(answer: string, accepted: string): boolean {
  return accepted === answer || accepted === `${answer.slice(0, answer.indexOf('/'))}/*`
}
