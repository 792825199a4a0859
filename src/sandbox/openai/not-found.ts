import { Problem, badRequest } from '../problem.ts'

/** What OpenAI says of a stored response that the account does not have, or not any more. */
export function responseNotFound(id: string): Problem {
  return new Problem(404, `Response with id '${id}' not found.`)
}

/** The same of a response that a request wants to go on from: a 400. */
export function previousNotFound(id: string): Problem {
  return badRequest(
    `Previous response with id '${id}' not found.`,
    'previous_response_id',
    'previous_response_not_found',
  )
}

export function conversationNotFound(id: string): Problem {
  return new Problem(404, `Conversation with id '${id}' not found.`)
}

export function itemNotFound(id: string): Problem {
  return new Problem(404, `Item with id '${id}' not found.`)
}

export function videoNotFound(id: string): Problem {
  return new Problem(404, `Video with id '${id}' not found.`)
}

/** The same of an item that the input of a request refers to. */
export function inputItemNotFound(id: string): Problem {
  return new Problem(
    404,
    `Item with id '${id}' not found. Items are not persisted when 'store' is set to false.`,
    { param: 'input' },
  )
}
