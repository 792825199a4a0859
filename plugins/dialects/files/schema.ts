const nullable = (type: string) => ({ type: [type, 'null'] })

const expiresAfter = {
  type: 'object',
  properties: { anchor: { type: 'string' }, seconds: { type: 'integer' } },
}

/** Schema of the form of `POST /v1/files`. */
export const uploadSchema = {
  type: 'object',
  required: ['file', 'purpose'],
  properties: {
    file: { type: 'object', description: 'The file; JSON Lines for the purpose `batch`' },
    purpose: { type: 'string' },
    expires_after: expiresAfter,
  },
}

/** Schema of a file. */
export const fileSchema = {
  type: 'object',
  required: ['id', 'object'],
  properties: {
    id: { type: 'string' },
    object: { const: 'file' },
    bytes: { type: 'integer' },
    created_at: { type: 'integer' },
    expires_at: nullable('integer'),
    filename: { type: 'string' },
    purpose: { type: 'string' },
    status: { type: 'string' },
  },
}

function listOf(items: object): object {
  return {
    type: 'object',
    properties: {
      object: { const: 'list' },
      data: { type: 'array', items },
      first_id: nullable('string'),
      last_id: nullable('string'),
      has_more: { type: 'boolean' },
    },
  }
}

export const fileListSchema = listOf(fileSchema)

/** Schema of the reply of `DELETE /v1/files/{id}`. */
export const deletedSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    object: { const: 'file' },
    deleted: { const: true },
  },
}

/** Schema of the body of `POST /v1/batches`. */
export const batchRequestSchema = {
  type: 'object',
  required: ['input_file_id', 'endpoint', 'completion_window'],
  properties: {
    input_file_id: { type: 'string' },
    endpoint: { type: 'string' },
    completion_window: { type: 'string' },
    metadata: nullable('object'),
    output_expires_after: expiresAfter,
  },
}

/** Schema of a batch. */
export const batchSchema = {
  type: 'object',
  required: ['id', 'object', 'status'],
  properties: {
    id: { type: 'string' },
    object: { const: 'batch' },
    endpoint: { type: 'string' },
    status: { type: 'string' },
    input_file_id: { type: 'string' },
    output_file_id: nullable('string'),
    error_file_id: nullable('string'),
    created_at: { type: 'integer' },
    request_counts: {
      type: ['object', 'null'],
      properties: {
        total: { type: 'integer' },
        completed: { type: 'integer' },
        failed: { type: 'integer' },
      },
    },
  },
}

export const batchListSchema = listOf(batchSchema)

/** Schema of the body of `POST /v1/uploads`. */
export const newUploadSchema = {
  type: 'object',
  required: ['bytes', 'filename', 'mime_type', 'purpose'],
  properties: {
    bytes: { type: 'integer' },
    filename: { type: 'string' },
    mime_type: { type: 'string' },
    purpose: { type: 'string' },
    expires_after: expiresAfter,
  },
}

/** Schema of an upload in parts. */
export const partedUploadSchema = {
  type: 'object',
  required: ['id', 'object', 'status'],
  properties: {
    id: { type: 'string' },
    object: { const: 'upload' },
    status: { type: 'string' },
    bytes: { type: 'integer' },
    filename: { type: 'string' },
    purpose: { type: 'string' },
    created_at: { type: 'integer' },
    expires_at: { type: 'integer' },
    file: nullable('object'),
  },
}

/** Schema of the form of `POST /v1/uploads/{id}/parts`. */
export const partRequestSchema = {
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'object', description: 'The bytes of the part' } },
}

/** Schema of a part of an upload. */
export const partSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    object: { const: 'upload.part' },
    created_at: { type: 'integer' },
    upload_id: { type: 'string' },
  },
}

/** Schema of the body of `POST /v1/uploads/{id}/complete`. */
export const completeSchema = {
  type: 'object',
  required: ['part_ids'],
  properties: {
    part_ids: { type: 'array', items: { type: 'string' } },
    md5: { type: 'string' },
  },
}
