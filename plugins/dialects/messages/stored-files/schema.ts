const nullable = (type: string) => ({ type: [type, 'null'] })

/** Schema of the form of `POST /v1/files`. */
export const uploadSchema = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'object', description: 'The file' },
    expires_in_seconds: { type: 'integer' },
  },
}

/** Schema of a file. */
export const fileSchema = {
  type: 'object',
  required: ['id', 'type'],
  properties: {
    id: { type: 'string' },
    type: { const: 'file' },
    filename: { type: 'string' },
    mime_type: { type: 'string' },
    size_bytes: { type: 'integer' },
    created_at: { type: 'string' },
    expires_at: nullable('string'),
    downloadable: { type: 'boolean' },
  },
}

/** Schema of the reply of `GET /v1/files`. */
export const listSchema = {
  type: 'object',
  properties: {
    data: { type: 'array', items: fileSchema },
    has_more: { type: 'boolean' },
    first_id: nullable('string'),
    last_id: nullable('string'),
    next_page: nullable('string'),
  },
}

/** Schema of the reply of `DELETE /v1/files/{id}`. */
export const deletedSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, type: { const: 'file_deleted' } },
}
