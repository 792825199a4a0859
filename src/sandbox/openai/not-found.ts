import { Problem, badRequest } from '../problem.ts'

/** The 404 for a stored response that the account does not have, or no longer. */
export function responseNotFound(id: string): Problem {
  return new Problem(404, `Response with id '${id}' not found.`)
}

/** The 400 for an unknown `previous_response_id`. */
export function previousNotFound(id: string): Problem {
  return badRequest(
    `Previous response with id '${id}' not found.`,
    'previous_response_id',
    'previous_response_not_found',
  )
}

/** The 404 for an unknown conversation. */
export function conversationNotFound(id: string): Problem {
  return new Problem(404, `Conversation with id '${id}' not found.`)
}

/** The 404 for an unknown item of a conversation or a page. */
export function itemNotFound(id: string): Problem {
  return new Problem(404, `Item with id '${id}' not found.`)
}

/** The 404 for an unknown video job. */
export function videoNotFound(id: string): Problem {
  return new Problem(404, `Video with id '${id}' not found.`)
}

/** The 404 for an unknown file. */
export function fileNotFound(id: string): Problem {
  return new Problem(404, `No such File object: ${id}`, { param: 'id' })
}

/** The 404 for an unknown batch. */
export function batchNotFound(id: string): Problem {
  return new Problem(404, `No batch found with id '${id}'.`)
}

/** The 404 for an unknown upload. */
export function uploadNotFound(id: string): Problem {
  return new Problem(404, `No such Upload object: ${id}`)
}

/** The 404 for an unknown item that the input of a request refers to. */
export function inputItemNotFound(id: string): Problem {
  return new Problem(
    404,
    `Item with id '${id}' not found. Items are not persisted when 'store' is set to false.`,
    { param: 'input' },
  )
}
