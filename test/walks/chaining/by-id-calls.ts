/** Calls without a body; `{id}` stands for the id of a response or a conversation. */
export const bodiless = [
  ['GET', '/v1/responses/{id}'],
  ['DELETE', '/v1/responses/{id}'],
  ['POST', '/v1/responses/{id}/cancel'],
  ['GET', '/v1/responses/{id}/input_items'],
  ['GET', '/v1/conversations/{id}'],
  ['DELETE', '/v1/conversations/{id}'],
  ['GET', '/v1/conversations/{id}/items'],
  ['GET', '/v1/conversations/{id}/items/msg_1'],
  ['DELETE', '/v1/conversations/{id}/items/msg_1'],
] as const

export const withBody = [
  ['POST', '/v1/conversations/{id}', '{ "metadata":{"a":"b"} ,"big":1e400}'],
  ['POST', '/v1/conversations/{id}/items', '{"items" : [{"role":"user","content":"hi"}]}'],
] as const

export const at = (path: string, id: string) => path.replace('{id}', id)
