import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { Problem, badRequest } from '../problem.ts'
import { type Form, type FormFile, formFileHeadBytes } from './form.ts'

const limits = {
  fieldNameSize: 200,
  fieldSize: 1024 * 1024,
  fields: 100,
  files: 50,
  headerPairs: 50,
}

/** Whether the content type of a request says that the body is a form. */
export function isFormRequest(request: IncomingMessage): boolean {
  return /^multipart\//i.test(request.headers['content-type'] ?? '')
}

/**
 * Parses a form as it arrives, so that files need no memory. `onChunk` receives every byte of it.
 * Throws a 400 for a malformed form, and a 413 for one that is too large. The request is read to
 * its end nevertheless, so that the client receives the error.
 */
export async function readForm(
  request: IncomingMessage,
  onChunk: (chunk: Buffer) => void,
): Promise<Form> {
  request.on('data', onChunk)
  const form: Form = { fields: [], files: [] }
  try {
    await parse(request, form)
  } finally {
    request.unpipe()
    request.resume()
  }
  return form
}

async function parse(request: IncomingMessage, form: Form): Promise<void> {
  const parser = openParser(request)
  const files: Promise<FormFile>[] = []
  await new Promise<void>((resolve, reject) => {
    const rejectTooMany = () => reject(new Problem(413, 'The form has too many parts.'))
    parser
      .on('partsLimit', rejectTooMany)
      .on('filesLimit', rejectTooMany)
      .on('fieldsLimit', rejectTooMany)
    parser.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) reject(new Problem(413, `Form field '${name}' is too long.`))
      form.fields.push({ name, value })
    })
    parser.on('file', (name, content, filename, _encoding, type) => {
      const file = readFile(content, { name, filename, type })
      file.catch(reject)
      files.push(file)
    })
    parser.on('error', (error) => reject(badForm((error as Error).message)))
    parser.once('finish', resolve)
    request.once('aborted', () => reject(badForm('the client disconnected')))
    request.pipe(parser)
  })
  form.files = await Promise.all(files)
}

function openParser(request: IncomingMessage): BusboyInstance {
  const contentType = request.headers['content-type'] ?? ''
  try {
    return new Busboy({ headers: { ...request.headers, 'content-type': contentType }, limits })
  } catch (error) {
    throw badForm((error as Error).message)
  }
}

type FileHeading = { name: string; filename: string | undefined; type: string | undefined }

async function readFile(content: BusboyFileStream, heading: FileHeading): Promise<FormFile> {
  const digest = createHash('sha256')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (size < formFileHeadBytes) chunks.push(Buffer.from(chunk))
    digest.update(chunk)
    size += chunk.length
  }
  const head = Buffer.concat(chunks).subarray(0, formFileHeadBytes)
  return { ...heading, size, head, sha256: digest.digest('hex') }
}

function badForm(reason: string): Problem {
  return badRequest(`Could not parse multipart form: ${reason}`)
}
