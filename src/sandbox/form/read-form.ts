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

/** Whether the request carries a form. */
export function isFormRequest(request: IncomingMessage): boolean {
  return /^multipart\//i.test(request.headers['content-type'] ?? '')
}

/**
 * Reads a form as it arrives, so that files need no memory. `see` is shown every byte of it.
 * Throws a 400 for what is no form, and a 413 for too much of it; the request is then read to
 * its end nevertheless, or nobody would hear about it.
 */
export async function readForm(
  request: IncomingMessage,
  see: (chunk: Buffer) => void,
): Promise<Form> {
  request.on('data', see)
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
    const tooMuch = () => reject(new Problem(413, 'The form has more parts than are allowed.'))
    parser.on('partsLimit', tooMuch).on('filesLimit', tooMuch).on('fieldsLimit', tooMuch)
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
    request.once('aborted', () => reject(badForm('the client went away')))
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
  const kept: Buffer[] = []
  let size = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (size < formFileHeadBytes) kept.push(Buffer.from(chunk))
    digest.update(chunk)
    size += chunk.length
  }
  const head = Buffer.concat(kept).subarray(0, formFileHeadBytes)
  return { ...heading, size, head, sha256: digest.digest('hex') }
}

function badForm(reason: string): Problem {
  return badRequest(`Could not parse multipart form: ${reason}`)
}
