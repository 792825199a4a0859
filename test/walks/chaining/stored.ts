import type OpenAI from 'openai-7'

/** `responses.delete`, which was called `del` before version 5. */
export async function deleteResponse(client: OpenAI, id: string): Promise<void> {
  const responses = client.responses as OpenAI['responses'] & {
    del?: OpenAI['responses']['delete']
  }
  await (responses.del ? responses.del(id) : responses.delete(id))
}

/** The general envelope of an error about something that is asked for by its id. */
export function own(
  status: 404 | 503,
  message: string,
  { code, shouldRetry = 'false' }: { code: string; shouldRetry?: 'true' | 'false' | null },
) {
  const type = status === 404 ? 'invalid_request_error' : 'server_error'
  return {
    name: status === 404 ? 'NotFoundError' : 'InternalServerError',
    status,
    shouldRetry,
    body: { code: status, message, details: [{ code, type, param: null }], type, param: null },
  }
}

export function noResponse(id: string) {
  return own(404, `Response with id '${id}' not found.`, { code: 'not_found' })
}

export function noConversation(id: string) {
  return own(404, `Conversation with id '${id}' not found.`, { code: 'not_found' })
}
