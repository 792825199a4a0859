/** Bodies that report an error, with `error` or `errors` in each shape that JSON has. */
export function errorShapes(message: string): Readonly<Record<string, Record<string, unknown>>> {
  return {
    'an error that is true': { error: true, message },
    'an error that is a number': { error: 500, message },
    'an error that is a list of texts': { error: [message] },
    'an error that is a list of objects': { error: [{ code: 500, message }] },
    'an error that is a list in a list': { error: [[{ code: 500, message }]] },
    'an error that is an empty list': { error: [], message },
    'an error that is an empty object': { error: {}, message },
    'a list of errors': { errors: [{ code: 500, message }] },
    'a list of texts as errors': { errors: [message] },
    'errors by field': { errors: { model: [message] } },
  }
}
