/** What error codes of the network, of TLS and of proxies mean, and what to do. */

export interface Explanation {
  readonly what: string;
  readonly advice: string;
}

const wrongName: Explanation = {
  what: 'the host name does not exist',
  advice: 'Correct the host name, or connect to the VPN that resolves it.',
};
const closed: Explanation = {
  what: 'the connection was closed before a response',
  advice:
    'Check the protocol (http or https), the proxy in between, and whether a client certificate is required (tls.cert).',
};
const unreachable = (what: string): Explanation => ({
  what: `the ${what} is unreachable`,
  advice: 'Check the network, the VPN and the firewall.',
});
const late: Explanation = {
  what: 'no connection in time',
  advice: 'Check the port, the VPN, the firewall, and HTTPS_PROXY.',
};
const untrusted = (what: string): Explanation => ({
  what: `TLS: ${what}`,
  advice:
    'Set NODE_EXTRA_CA_CERTS, or tls.ca in a target file, to a file with the certificate of the authority that issued it.',
});
const unknownIssuer = untrusted('the issuer of the certificate is unknown');
const noTls: Explanation = {
  what: 'TLS: the server does not speak TLS on this port',
  advice: 'Use http:// or the TLS port.',
};
const tlsVersion: Explanation = {
  what: 'TLS: the server supports no TLS version that this machine supports',
  advice: 'Enable TLS 1.2 or 1.3 at the deployment.',
};
const noClientCertificate: Explanation = {
  what: 'TLS: the server requires a client certificate',
  advice: 'Set tls.cert and tls.key in the target file.',
};
const badClientCertificate = (why: string): Explanation => ({
  what: `TLS: the server refused the client certificate: ${why}`,
  advice: 'Replace tls.cert and tls.key in the target file by ones that the deployment accepts.',
});

/** By code. */
export const explanations: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: wrongName,
  EAI_NODATA: wrongName,
  EAI_AGAIN: { what: 'the host name could not be resolved', advice: 'Check the DNS server and the network.' },
  ECONNREFUSED: { what: 'nothing listens on this port', advice: 'Correct the port, or start the deployment.' },
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  EHOSTUNREACH: unreachable('host'),
  ENETUNREACH: unreachable('network'),
  ETIMEDOUT: late,
  UND_ERR_CONNECT_TIMEOUT: late,
  UND_ERR_HEADERS_TIMEOUT: { what: 'no response in time', advice: 'Check that the deployment is healthy.' },
  TimeoutError: { what: 'no complete response in time', advice: 'Check that the deployment is healthy.' },
  CERT_HAS_EXPIRED: { what: 'TLS: the certificate has expired', advice: 'Renew the certificate of the deployment.' },
  CERT_NOT_YET_VALID: {
    what: 'TLS: the certificate is not valid yet',
    advice: 'Check the clock of this machine, and the certificate of the deployment.',
  },
  CERT_REVOKED: { what: 'TLS: the certificate is revoked', advice: 'Replace the certificate of the deployment.' },
  CERT_SIGNATURE_FAILURE: untrusted('the signature of the certificate is wrong'),
  CERT_UNTRUSTED: untrusted('the authority of the certificate is not trusted'),
  INVALID_CA: untrusted('the issuer of the certificate is not an authority'),
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted('the certificate is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted('a certificate in the chain is self-signed'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'TLS: the certificate is for another host name',
    advice: 'Use a host name of the certificate.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: tlsVersion,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: tlsVersion,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: noClientCertificate,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: {
    what: 'TLS: the server refused the handshake',
    advice: 'Set tls.cert and tls.key in the target file if it requires a client certificate. Check its TLS versions.',
  },
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: badClientCertificate('it is invalid'),
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: badClientCertificate('it has expired'),
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED: badClientCertificate('it is revoked'),
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: badClientCertificate('it is not accepted'),
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: badClientCertificate('its issuer is unknown'),
  ERR_SSL_TLSV1_ALERT_ACCESS_DENIED: badClientCertificate('access is denied'),
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: {
    what: 'TLS: the server does not know this host name',
    advice: 'Correct the host name.',
  },
  EPROTO: { what: 'TLS: the handshake failed', advice: 'Check the port and the TLS versions of the deployment.' },
};

const proxyAdvice = 'Correct HTTPS_PROXY or HTTP_PROXY, or add the host of the target to NO_PROXY.';

/** Errors of a request through a proxy that come from the proxy, by what the error contains. */
export const proxyExplanations: readonly (readonly [RegExp, Explanation])[] = [
  [/ECONNREFUSED/, { what: 'nothing listens there', advice: proxyAdvice }],
  [/ENOTFOUND|EAI_/, { what: 'the host name of the proxy cannot be resolved', advice: proxyAdvice }],
  [/ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|E(?:HOST|NET)UNREACH/, { what: 'the proxy is unreachable', advice: proxyAdvice }],
  [
    /\(407\)/,
    {
      what: 'the proxy requires a user name and a password, or refuses them (407)',
      advice: 'Set HTTPS_PROXY and HTTP_PROXY to a URL such as http://USER:PASSWORD@HOST:PORT.',
    },
  ],
  [
    /Proxy response \(\d+\)/,
    {
      what: 'the proxy refused to connect to the target',
      advice: 'Check the address, and that the proxy allows it; or add the host to NO_PROXY.',
    },
  ],
  [/UND_ERR_PRX_TLS/, { what: 'the certificate of the proxy is for another host name', advice: proxyAdvice }],
];
