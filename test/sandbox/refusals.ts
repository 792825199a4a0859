/** OpenAI's error for an id that the account does not have: without a code or a parameter. */
function notFound(message: string) {
  return { status: 404, type: 'invalid_request_error', param: null, code: null, error: { message } }
}

export function noConversation(id: string) {
  return notFound(`Conversation with id '${id}' not found.`)
}

export function noResponse(id: string) {
  return notFound(`Response with id '${id}' not found.`)
}

export function noItem(id: string) {
  return notFound(`Item with id '${id}' not found.`)
}

/** OpenAI's error for a response from which nobody can go on. */
export function noPrevious(id: string) {
  return {
    status: 400,
    type: 'invalid_request_error',
    param: 'previous_response_id',
    code: 'previous_response_not_found',
    error: { message: `Previous response with id '${id}' not found.` },
  }
}
