/** A field of a protobuf message: a whole number, 64 or 32 bits, or bytes. */
export interface Field {
  readonly number: number
  readonly value: bigint | Buffer
}

/** The fields of a message, in their order. Throws for bytes that are none. */
export function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0

  function varint(): bigint {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]
      if (byte === undefined) throw new Error('The message ends within a number.')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }

  function bytes(length: number): Buffer {
    const end = at + length
    if (end > message.length) throw new Error('The message ends within a field.')
    const value = message.subarray(at, end)
    at = end
    return value
  }

  while (at < message.length) {
    const tag = Number(varint())
    const number = tag >> 3
    const value = valueOf(tag & 7)
    fields.push({ number, value })
  }
  return fields

  function valueOf(type: number): bigint | Buffer {
    if (type === 0) return varint()
    if (type === 1) return bytes(8)
    if (type === 2) return bytes(Number(varint()))
    if (type === 5) return bytes(4)
    throw new Error(`A field has the unknown type ${type}.`)
  }
}

/** The messages in a repeated field. */
export function messagesIn(fields: readonly Field[], number: number): Field[][] {
  return fields.filter((one) => one.number === number).map(({ value }) => fieldsOf(value as Buffer))
}

/** The bytes of a field; empty if it is absent. */
export function bytesIn(fields: readonly Field[], number: number): Buffer {
  const found = fields.findLast((one) => one.number === number)?.value
  return Buffer.isBuffer(found) ? found : Buffer.alloc(0)
}

/** A whole number in a field; 0 if it is absent. */
export function numberIn(fields: readonly Field[], number: number): number {
  const found = fields.findLast((one) => one.number === number)?.value
  return typeof found === 'bigint' ? Number(BigInt.asIntN(64, found)) : 0
}
