/** A gRPC address as a URL: one without a scheme is that of a server with TLS, as the SDK of OpenTelemetry has it. */
export function grpcUrl(address: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`
}
