const nullable = (type: string) => ({ type: [type, 'null'] })

/** Schema of the body of `POST /v1/messages/batches`. */
export const requestSchema = {
  type: 'object',
  required: ['requests'],
  properties: {
    requests: {
      type: 'array',
      items: {
        type: 'object',
        required: ['custom_id', 'params'],
        properties: { custom_id: { type: 'string' }, params: { type: 'object' } },
      },
    },
  },
}

/** Schema of a batch of messages. */
export const batchSchema = {
  type: 'object',
  required: ['id', 'type', 'processing_status'],
  properties: {
    id: { type: 'string' },
    type: { const: 'message_batch' },
    processing_status: { enum: ['in_progress', 'canceling', 'ended'] },
    request_counts: { type: 'object' },
    results_url: nullable('string'),
    created_at: { type: 'string' },
    ended_at: nullable('string'),
    expires_at: { type: 'string' },
  },
}

/** Schema of the reply of `GET /v1/messages/batches`. */
export const listSchema = {
  type: 'object',
  properties: {
    data: { type: 'array', items: batchSchema },
    has_more: { type: 'boolean' },
    first_id: nullable('string'),
    last_id: nullable('string'),
  },
}

/** Schema of the reply of `DELETE /v1/messages/batches/{id}`. */
export const deletedSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, type: { const: 'message_batch_deleted' } },
}
