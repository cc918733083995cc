const TLS_CODES = /^(CERT_|DEPTH_ZERO_|EPROTO$|ERR_OSSL_|ERR_SSL_|ERR_TLS_|HOSTNAME_MISMATCH$|INVALID_CA$|SELF_SIGNED_|UNABLE_TO_)/;

/** Whether an error code of Node or OpenSSL means that TLS failed, mostly because a certificate is wrong or has expired. */
export const isTlsCode = (code: string): boolean => TLS_CODES.test(code);
