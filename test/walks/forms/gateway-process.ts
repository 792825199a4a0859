import { type TestGatewayOptions, createTestGateway } from '../../../src/testing/gateway.ts'
import { formsPlugin } from './form-dialect.ts'

/** A gateway in a process of its own, for what can only be seen of a whole process. */
const options = JSON.parse(process.argv[2] ?? '{}') as TestGatewayOptions
const gateway = await createTestGateway({ ...options, plugins: [formsPlugin()] })
process.on('message', () => process.send?.({ spooled: gateway.gateway.spooled() }))
process.send?.({ url: gateway.url, key: gateway.key })
