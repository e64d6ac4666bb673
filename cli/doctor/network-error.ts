/** Explains network and TLS errors by their code. */

interface Explanation {
  readonly what: string;
  readonly advice: string;
}

const certificate = 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority that issued it.';

const explanations: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: {
    what: 'the host name does not exist',
    advice: 'Correct the host name, or connect to the VPN that resolves it.',
  },
  EAI_AGAIN: { what: 'the host name could not be resolved', advice: 'Check the DNS server and the network.' },
  ECONNREFUSED: { what: 'nothing listens on this port', advice: 'Correct the port, or start the deployment.' },
  ECONNRESET: {
    what: 'the connection was closed before a response',
    advice: 'Check the protocol (http or https) and the proxy in between.',
  },
  UND_ERR_SOCKET: {
    what: 'the connection was closed before a response',
    advice: 'Check the protocol (http or https) and the proxy in between.',
  },
  EHOSTUNREACH: { what: 'the host is unreachable', advice: 'Check the network, the VPN and the firewall.' },
  ENETUNREACH: { what: 'the network is unreachable', advice: 'Check the network, the VPN and the firewall.' },
  ETIMEDOUT: { what: 'no connection in time', advice: 'Check the port, the VPN and the firewall.' },
  UND_ERR_CONNECT_TIMEOUT: { what: 'no connection in time', advice: 'Check the port, the VPN and the firewall.' },
  UND_ERR_HEADERS_TIMEOUT: { what: 'no response in time', advice: 'Check that the deployment is healthy.' },
  CERT_HAS_EXPIRED: { what: 'TLS: the certificate has expired', advice: 'Renew the certificate of the deployment.' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { what: 'TLS: the certificate is self-signed', advice: certificate },
  SELF_SIGNED_CERT_IN_CHAIN: { what: 'TLS: a certificate in the chain is self-signed', advice: certificate },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { what: 'TLS: the issuer of the certificate is unknown', advice: certificate },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { what: 'TLS: the issuer of the certificate is unknown', advice: certificate },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'TLS: the certificate is for another host name',
    advice: 'Use a host name of the certificate.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    what: 'TLS: the server does not speak TLS on this port',
    advice: 'Use http:// or the TLS port.',
  },
  EPROTO: { what: 'TLS: the handshake failed', advice: 'Check the port and the TLS versions of the deployment.' },
};

/** The error of a request that got no response, with the code in parentheses. */
export function explainNetworkError(error: unknown): Explanation {
  const code = codeOf(error);
  const known = explanations[code ?? ''];
  if (known !== undefined) return { ...known, what: `${known.what} (${code})` };
  const message = error instanceof Error ? error.message : String(error);
  return { what: code ?? message, advice: 'Check the address and the network.' };
}

/** The code of the innermost cause that has one: a connection to several addresses fails with all of their errors. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errors } = error as { code?: string; errors?: readonly unknown[] };
  return codeOf(error.cause) ?? code ?? codeOf(errors?.[0]);
}
